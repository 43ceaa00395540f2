const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Words that are never a name, unless in quotes. All other keywords are names where nothing else fits. */
export const NEVER_NAMES = words(
  "catch except finally fn fun inf infinity intersect let materialized nan null throw try while within",
)

/** Names that no column, table or result may be given. */
export const RESERVED_NAMES = words("true false null team_id")

/** Words that go on after an operand or end it; as the start of one they only count before `(` or `.`. */
export const CONTINUING_WORDS = words(
  "and or in like ilike between is as when then else from where prewhere group having qualify order limit offset " +
    "union except intersect window settings on using join asc ascending desc descending nulls collate",
)

/** Keywords that name a result without AS (`SELECT x date`), beside words that are no keyword. */
export const IMPLICIT_ALIAS_KEYWORDS = words("asc ascending cohort date descending final id return top totals")

/** Keywords that name a table without AS. */
export const TABLE_ALIAS_KEYWORDS = words("date first id key")

/** Units of INTERVAL with the function that makes one. */
export const INTERVAL_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...["Second", "Minute", "Hour", "Day", "Week", "Month", "Quarter", "Year"].map(
    (unit) => [unit.toLowerCase(), `toInterval${unit}`] as const,
  ),
  ["yyyy", "toIntervalYear"],
])

/** All words that are a keyword somewhere; the rest are plain names. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...NEVER_NAMES,
  ...CONTINUING_WORDS,
  ...IMPLICIT_ALIAS_KEYWORDS,
  ...TABLE_ALIAS_KEYWORDS,
  ...INTERVAL_FUNCTIONS.keys(),
  ...words(
    "all anti any array asof both by case cast columns cross cube current distinct end exclude extract fill filter " +
      "following for full grouping if ignore include inner interpolate interval lambda last leading left local name " +
      "natural not outer over partition pivot positional preceding range recursive replace right rollup row rows " +
      "sample select semi sets step substring ties time timestamp to trailing trim truncate try_cast unbounded " +
      "unpivot values with zone",
  ),
])
