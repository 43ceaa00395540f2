interface Difference {
  readonly reason: string
  readonly text: string
  readonly we: "read" | "refuse"
  readonly they: "read" | "refuse"
}

const refused = (text: string, reason: string): Difference => ({ reason, text, we: "refuse", they: "read" })
const read = (text: string, reason: string): Difference => ({ reason, text, we: "read", they: "refuse" })

/** Every kind of text that the two parsers treat differently, and why. */
export const DELIBERATELY_DIFFERENT: readonly Difference[] = [
  refused("select count() filter (where a) over ()", "FILTER before OVER was dropped silently"),
  refused("select sum(1)(distinct a) over ()", "DISTINCT before OVER was dropped silently"),
  refused("select sum(a) ignore nulls", "IGNORE NULLS was dropped silently where it is not so anyway"),
  refused("select a from t order by a collate 'de'", "COLLATE was dropped silently"),
  refused("select a from t order by a with fill", "WITH FILL was dropped silently"),
  refused("select a from t sample 10%", "SAMPLE in percent was read as a number of rows"),
  refused("select a from t limit 10 %", "LIMIT in percent was dropped silently"),
  refused("select a from t natural join u", "NATURAL was dropped silently"),
  refused("select e.* exclude (a) from e", "the table before a * with EXCLUDE was dropped silently"),
  refused("select sum(a) over (rows b preceding)", "a frame of a computed number of rows was read as unbounded"),
  refused("with x using key (a) as (select 1) select x", "USING KEY was dropped silently"),
  refused("select 1 # a comment", "comments with # are unlike the other ones"),
  refused("select 1 -- \u2028 a", "a line separator could hide a statement from some readers"),
  refused("select 1 /* x", "a comment that is never closed would be a division"),
  refused("select 1 from t group by a, having order", "keywords that begin clauses are no names there"),
  refused("select a b, c, x -> 1 z", "a name behind a lambda without brackets could belong to more than one column"),
  refused("select a from t join u using a,, b", "a comma behind a trailing comma is an error"),
  refused("select 1 limit 1 limit 2", "a second LIMIT replaced the first one"),
  refused("select 0x1p3", "numbers with a binary exponent are refused"),
  refused("select a between 1 < x -> 1 and 2", "a lambda in the lower bound of BETWEEN takes the AND"),
  refused("select a from t group by a with totals", "WITH TOTALS was dropped silently"),
  refused("select a from t group by all with cube", "of two ways to group the second one was dropped silently"),
  read("select listagg(a) within group (order by b) filter (where c) from t", "standard SQL filters such rows too"),
  refused("select sum(a) over (order by b range interval 1 month preceding)", "months differ in length"),
  read("select match(a, '\\d+')", "a backslash that marks nothing stays, as in a regular expression"),
  read("select sum(a) over (w order by b) from t window w as (partition by c)", "standard SQL adds to named windows"),
  read("select a from t order by a limit 1 offset 2 with ties", "the engine has WITH TIES behind OFFSET too"),
  read("select a from t array join [1] a", "an alias needs no AS elsewhere either"),
  read("select a <b and c", "`<b ` begins a tag for the published parser and is a comparison for us"),
  {
    reason: "ORDER BY and LIMIT behind brackets were dropped silently and are those of the whole",
    text: "(select 1 as a) union all (select 2) order by a limit 1",
    we: "read",
    they: "read",
  },
  {
    reason: "WITH ROLLUP and WITH CUBE behind a GROUP BY were dropped silently",
    text: "select a from t group by a with rollup",
    we: "read",
    they: "read",
  },
  {
    reason: "OFFSET of the last SELECT of a set was dropped silently",
    text: "select 1 union all select 2 limit 5 offset 1",
    we: "read",
    they: "read",
  },
]

/** Words that go on after an operand or begin a clause. The published parser reads them as names where nothing else fits. */
const STRUCTURE_WORDS =
  /^(?:and|or|not|in|like|ilike|between|is|as|when|then|else|end|case|from|where|prewhere|group|having|qualify|order|limit|offset|union|window|settings|on|using|join|asc|ascending|desc|descending|nulls|collate|select|distinct|with|interval|cohort|values|rows|range|over|by|array|left)$/i

/** Whether a difference is one of the above kinds, told by the text. */
export function isDeliberate(text: string, ours: unknown, theirs: unknown): boolean {
  if (ours === "refused") return REFUSED_FEATURES.test(text) || namesStructureWord(theirs)
  if (theirs === "refused") return READ_BY_US.test(text)
  if (namesStructureWord(theirs)) return true
  return (
    /\bwith\s+(?:rollup|cube)\b/i.test(text) ||
    /\)\s*(?:order\s+by|limit|offset)\b/i.test(text) ||
    (/\boffset\b/i.test(text) && /union|intersect|except/i.test(text))
  )
}

const READ_BY_US = /<[a-z_]|within\s+group|\\|over\s*\(|window|with\s+ties|array\s+join/i

const REFUSED_FEATURES =
  /\bover\b.*\b(?:preceding|following)\b|\bfilter\b.*\bover\b|\bdistinct\b.*\bover\b|ignore\s+nulls|within\s+group|collate|with\s+fill|natural|with\s+(?:totals|cube|rollup)|exclude|using\s+key|,\s*,|\blimit\b.*\blimit\b|%|#|\/\*|[\u0085\u2028\u2029]|->|0x[\da-f]+p/i

/** Whether a tree has a name or a type, not in quotes as far as one can tell, that structures a query elsewhere. */
function namesStructureWord(tree: unknown, under = ""): boolean {
  if (typeof tree === "string")
    return (under === "typeName" ? tree.split(" ") : [tree]).some((word) => STRUCTURE_WORDS.test(word))
  if (typeof tree !== "object" || tree === null) return false
  return Object.entries(tree).some(
    ([key, value]) => key !== "kind" && key !== "operator" && namesStructureWord(value, key),
  )
}
