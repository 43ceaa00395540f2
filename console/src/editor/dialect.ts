import { SQLDialect } from "@codemirror/lang-sql"

/** Words of the grammar (docs/contract/queries.md#hogql-grammar). */
export const KEYWORDS =
  "all and anti any array as asc asof between by case cast cross desc distinct else end except extract false first " +
  "following from full group having ilike in inner intersect interval into is join last left like limit not null " +
  "nulls offset on or order outer over partition preceding prewhere range recursive right row rows sample select " +
  "semi then ties to totals true unbounded union using when where window with"

/** HogQL for the editor: texts in single quotes, names in double quotes or backticks. */
export const HOGQL = SQLDialect.define({
  keywords: KEYWORDS,
  builtin: "",
  types: "",
  backslashEscapes: true,
  slashComments: true,
  identifierQuotes: '`"',
  operatorChars: "*+-%<>!=&|~^/?:",
})
