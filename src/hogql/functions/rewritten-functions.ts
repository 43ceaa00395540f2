import { define, type FunctionDefinition } from "./definition.js"

const always = { nulls: "always" } as const

/** Functions whose SQL depends on argument types or on the project; `resolve/rewrites.ts` says how. */
export const REWRITTEN_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define(
    {
      Integer:
        "toInt:1 toInteger=toInt:1 toInt8:1 toInt16:1 toInt32:1 toInt64:1 toUInt8:1 toUInt16:1 toUInt32:1 toUInt64:1 toIntOrNull=toInt:1 toInt32OrNull=toInt32:1 toInt64OrNull=toInt64:1 toUInt64OrNull=toUInt64:1 toInt128:1 toInt256:1 toUInt128:1 toUInt256:1 _toInt8=toInt8:1 _toInt16=toInt16:1 _toInt32=toInt32:1 _toInt64=toInt64:1 _toUInt64=toUInt64:1 _toUInt128=toUInt128:1",
      Float:
        "toFloat:1 toFloat32:1 toFloat64:1 toFloat32OrNull=toFloat32:1 toFloat64OrNull=toFloat64:1 toDecimal:1-2 toDecimal32=toDecimal:2 toDecimal64=toDecimal:2 toDecimal128=toDecimal:2",
      UUID: "toUUID:1 toUUIDOrNull=toUUID:1",
      Boolean: "toBool:1 toBoolean=toBool:1",
    },
    always,
  ),
  ...define(
    {
      Integer:
        "toIntOrZero:1 toInt64OrZero=toIntOrZero:1 toIntOrDefault=toIntOrZero:1-2 toInt32OrZero=toIntOrZero:1 toInt64OrDefault=toIntOrZero:1-2",
      Float:
        "toFloatOrZero:1 toFloat64OrZero=toFloatOrZero:1 toFloatOrDefault:1-2 toFloat64OrDefault=toFloatOrDefault:1-2",
      Boolean:
        "equals:2 notEquals:2 less:2 lessOrEquals:2 greater:2 greaterOrEquals:2 like:2 notLike:2 ilike:2 notILike:2 in:2 notIn:2 globalIn=in:2 globalNotIn=notIn:2 isNotDistinctFrom=equals:2 isDistinctFrom=notEquals:2",
      Array:
        "sortableSemver:1 JSONExtractKeys:1+ JSONExtractArrayRaw:1+ JSONExtractKeysAndValuesRaw:1+ JSONExtractKeysAndValues:2+ JSONExtractKeysCaseInsensitive:1+ JSONExtractArrayRawCaseInsensitive:1+",
    },
    { nulls: "never" },
  ),
  ...define({
    String: "toString:1-2 timezone:0-2",
    Date: "toDate:1-2 date=toDate:1 _toDate=toDate:1 toDateOrNull=toDate:1 toStartOfWeek:1-2 toDate32=toDate:1-2 toDate32OrNull=toDate:1",
    DateTime:
      "toDateTime:1-2 timestamp=toDateTime:1 toDateTimeOrNull=toDateTime:1-2 toDateTime64:1-3 parseDateTimeBestEffort:1-2 parseDateTimeBestEffortOrNull=parseDateTimeBestEffort:1-2 parseDateTime64BestEffort:1-3 parseDateTime64BestEffortOrNull=parseDateTime64BestEffort:1-3 fromUnixTimestamp:1 makeDateTime:6-7 parseDateTime:2-3 parseDateTimeOrNull=parseDateTime:2-3 toDateTime32=toDateTime:1-2 parseDateTime32BestEffort=parseDateTimeBestEffort:1-2 parseDateTimeBestEffortUS:1-2 parseDateTimeBestEffortUSOrNull=parseDateTimeBestEffortUS:1-2 parseDateTimeInJodaSyntax:2-3 parseDateTimeInJodaSyntaxOrNull=parseDateTimeInJodaSyntax:2-3",
    Integer: "toUnixTimestamp:1-2 unix_timestamp=toUnixTimestamp:1-2 UNIX_TIMESTAMP=toUnixTimestamp:1-2",
    Unknown: "multiIf:3+ caseWithExpression:3+ _caseWithExpression=caseWithExpression:3+ JSONExtract:2+",
  }),
  ...define(
    {
      DateTime: "now:0-1 now64:0-2 current_timestamp=now:0-1 nowInBlock=now:0-1 from_unixtime=fromUnixTimestamp:1",
      Date: "today:0 yesterday:0 current_date=today:0 curdate=today:0",
      Unknown: "coalesce:1+ ifNull:2 if:3 nvl=ifNull:2",
    },
    { anyCase: true },
  ),
  ...define({ String: "concat:1+" }, { anyCase: true, nulls: "never" }),
]
