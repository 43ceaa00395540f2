import { define, type FunctionDefinition } from "./definition.js"

/** Functions as PostgreSQL calls them: other names, and what `resolve/postgres-expansions.ts` says they stand for. */
export const POSTGRES_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define(
    "DateTime",
    "to_timestamp=fromUnixTimestamp:1-2 make_timestamp=makeDateTime:6-7 make_timestamptz=makeDateTime:7",
  ),
  ...define("Date", "to_date=toDate:1 make_date=makeDate:3"),
  ...define("Same", "date_subtract=dateSub:2-3"),
  ...define("String", "to_char=formatDateTime:2-3 btrim=trimBoth:1-2 split_part:3 md5:1"),
  ...define("Integer", "date_part:2"),
  ...define("Interval", "make_interval:6"),
]
