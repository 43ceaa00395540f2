import fc from "fast-check"

const name = fc.constantFrom(
  "a",
  "b",
  "event",
  "properties.$x",
  "e.person.id",
  "`odd name`",
  '"q"',
  "date",
  "end",
  "key",
  "left",
  "timestamp",
  "first",
  "day",
  "if",
  "name",
)
const literal = fc.constantFrom(
  "1",
  "-2",
  "1.5",
  ".5",
  "1e3",
  "'x'",
  "'it''s'",
  "null",
  "true",
  "false",
  "inf",
  "{p}",
  "{a.b}",
  "f'x{a}y'",
  "[]",
  "{'k': 1}",
)
const operator = fc.constantFrom(
  ..."+ - * / % || = == != <> <= > >= like ilike =~ !~ ~ ~* =~* !~* and or ?? <=>".split(" "),
  "< ",
  "in",
  "not in",
  "in cohort",
  "not like",
  "not ilike",
  "is distinct from",
  "is not distinct from",
)
const suffix = fc.constantFrom(
  " is null",
  " is not null",
  "::int",
  "::date",
  ".b",
  ".1",
  "[1]",
  "[1:2]",
  "[:2]",
  "?.c",
  " as z",
)

/** Expressions at most three deep: deeper ones take the published parser seconds. */
export const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const part = tie("expression")
  const two = fc.tuple(part, part)
  const three = fc.tuple(part, part, part)
  return {
    expression: fc.oneof(
      { maxDepth: 3, depthSize: "medium" },
      name,
      literal,
      ...[0, 1].map(() => fc.tuple(part, operator, part).map((parts) => parts.join(" "))),
      fc.tuple(part, suffix).map((parts) => parts.join("")),
      fc.tuple(fc.constantFrom("not ", "-", "- ", "x -> ", "(x, y) -> "), part).map((parts) => parts.join("")),
      part.map((inner) => `(${inner})`),
      part.map((inner) => `(${inner},)`),
      part.map((inner) => `[${inner}]`),
      two.map(([key, value]) => `{${key}: ${value}}`),
      two.map(([one, other]) => `(${one}, ${other})`),
      fc
        .tuple(fc.constantFrom("f", "count", "not", "and", "any", "date"), fc.array(part, { maxLength: 2 }))
        .map(([called, args]) => `${called}(${args.join(", ")})`),
      two.map(([level, value]) => `quantile(${level})(${value})`),
      part.map((value) => `count(distinct ${value})`),
      two.map(([value, condition]) => `sum(${value}) filter (where ${condition})`),
      three.map(([condition, yes, no]) => `${condition} ? ${yes} : ${no}`),
      three.map(([value, low, high]) => `${value} between ${low} and ${high}`),
      three.map(([when, then, otherwise]) => `case when ${when} then ${then} else ${otherwise} end`),
      three.map(([value, when, then]) => `case ${value} when ${when} then ${then} end`),
      fc.tuple(part, fc.constantFrom("day", "hour", "month")).map(([amount, unit]) => `interval ${amount} ${unit}`),
      part.map((value) => `cast(${value} as Array(String))`),
      part.map((value) => `trim(both 'x' from ${value})`),
      two.map(([one, other]) => `f'p{${one}}q{${other}}'`),
      two.map(
        ([by, order]) =>
          `sum(a) over (partition by ${by} order by ${order} desc rows between 1 preceding and current row)`,
      ),
      part.map((value) => `rank(${value}) over w`),
      two.map(([column, condition]) => `(select ${column} from t where ${condition})`),
    ),
  }
})

const optional = (text: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant("") }, { weight: 1, arbitrary: text })
const clause = (word: string) => optional(expression.map((text) => ` ${word} ${text}`))
const table = fc.constantFrom(
  "t",
  "events e",
  "events as e",
  "numbers(5)",
  "(select 1) as s",
  "{src} x",
  "(t)",
  "a.b",
  "(select 1 union all select 2)",
)
const joinWords = [
  "join",
  "left join",
  "any left join",
  "left any join",
  "full outer join",
  "asof join",
  "right anti join",
]
const constraint = fc.oneof(
  fc.constantFrom("", " using (id)", " using a, b"),
  expression.map((text) => ` on ${text}`),
)
const join = fc.oneof(
  fc.tuple(fc.constantFrom(...joinWords), table, constraint).map(([words, joined, on]) => ` ${words} ${joined}${on}`),
  fc.tuple(fc.constantFrom(",", " cross join"), table).map((parts) => parts.join(" ")),
)
const from = fc
  .tuple(
    table,
    fc.array(join, { maxLength: 2 }),
    optional(fc.constantFrom(" array join a as k", " left array join a as k, b as l")),
  )
  .map(([first, joins, arrays]) => ` from ${first}${joins.join("")}${arrays}`)
const column = fc
  .tuple(expression, optional(fc.constantFrom(" as x", " y", ' "z"', " date")))
  .map((parts) => parts.join(""))
const orderItem = fc
  .tuple(expression, fc.constantFrom("", " asc", " desc", " nulls last"))
  .map((parts) => parts.join(""))
const listOf = (items: fc.Arbitrary<string>) =>
  fc.array(items, { minLength: 1, maxLength: 2 }).map((texts) => texts.join(", "))

/** Whole statements with any of the clauses. */
export const statement = fc
  .tuple(
    optional(
      fc.oneof(
        expression.map((text) => `with ${text} as v `),
        fc.constantFrom("with c as (select 1) ", "with 1 as q, c as (select 2 as z), "),
      ),
    ),
    fc.constantFrom("select ", "select distinct "),
    listOf(column),
    optional(fc.constant(",")),
    optional(from),
    clause("prewhere"),
    clause("where"),
    optional(listOf(expression).map((text) => ` group by ${text}`)),
    optional(fc.constantFrom(" with totals", " with rollup")),
    clause("having"),
    clause("qualify"),
    optional(expression.map((text) => ` window w as (order by ${text})`)),
    optional(listOf(orderItem).map((text) => ` order by ${text}`)),
    optional(fc.constantFrom(" limit 1 by a", " limit 2 offset 1 by a, b", " limit 1, 2 by c")),
    optional(fc.constantFrom(" limit 5", " limit 5 offset 2", " limit 5, 2", " offset 3", " limit 3 with ties")),
    optional(
      fc.constantFrom(" union all select 1", " union distinct (select 2)", " intersect select 3", " except select 4"),
    ),
    optional(fc.constant(";")),
  )
  .map((parts) => parts.join(""))

/** Whether the published parser answers in reasonable time: it is exponential in the depth of brackets. */
export function isQuickToPublished(text: string): boolean {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if ("([{".includes(character)) deepest = Math.max(deepest, ++depth)
    if (")]}".includes(character)) depth--
  }
  return deepest <= 3 && text.length <= 300
}

const TOKEN =
  /f'(?:[^'\\]|\\.|'')*'|'(?:[^'\\]|\\.|'')*'|"[^"]*"|`[^`]*`|[A-Za-z_$][\w$]*|\d+(?:\.\d*)?|\s+|[-=!~<>?:|]+|./gs
const MUTATION_TOKENS = (
  "select from where and or not in like between null as on join left group by order limit offset union all distinct " +
  "case when then else end interval day over 1 'x' a f ( ) [ ] , . + - * / = ? : :: -> { } ;"
).split(" ")

/** A text of the corpus with one or two of its words and signs dropped, doubled, replaced, swapped or put in. */
export function mutated(corpus: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    kind: fc.constantFrom("drop", "double", "replace", "insert", "swap"),
    place: fc.nat(),
    other: fc.nat(),
    token: fc.constantFrom(...MUTATION_TOKENS),
  })
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([text, changes]) => {
      const tokens: string[] = text.match(TOKEN) ?? []
      for (const { kind, place, other, token } of changes) {
        const at = place % (tokens.length + 1)
        if (kind === "drop") tokens.splice(at, 1)
        else if (kind === "double") tokens.splice(at, 0, ` ${tokens[at] ?? ""} `)
        else if (kind === "replace") tokens.splice(at, 1, ` ${token} `)
        else if (kind === "insert") tokens.splice(at, 0, ` ${token} `)
        else {
          const [moved = ""] = tokens.splice(at, 1)
          tokens.splice(other % (tokens.length + 1), 0, ` ${moved} `)
        }
      }
      return tokens.join("")
    })
}
