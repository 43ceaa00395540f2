import { define, type FunctionDefinition } from "./definition.js"

/** Functions over times that need no rewriting; the others are in `rewrites.ts`. */
export const TIME_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define(
    "Integer",
    "toYear:1 toQuarter:1 toMonth:1 toDayOfYear:1 toDayOfMonth:1 toDayOfWeek:1-3 toHour:1 toMinute:1 toSecond:1 toMillisecond:1 toISOYear:1 toISOWeek:1 toWeek:1-3 toYearWeek:1-3 toYYYYMM:1 toYYYYMMDD:1 toYYYYMMDDhhmmss:1 toRelativeYearNum:1 toRelativeQuarterNum:1 toRelativeMonthNum:1 toRelativeWeekNum:1 toRelativeDayNum:1 toRelativeHourNum:1 toRelativeMinuteNum:1 toRelativeSecondNum:1 age:3 dateDiff:3 date_diff=dateDiff:3 toUnixTimestamp64Milli:1 toUnixTimestamp64Micro:1 toUnixTimestamp64Nano:1 timeZoneOffset:1 timeDiff:2 toDaysSinceYearZero:1 year=toYear:1 month=toMonth:1 day=toDayOfMonth:1 hour=toHour:1 minute=toMinute:1 second=toSecond:1 quarter=toQuarter:1",
  ),
  ...define(
    "Date",
    "toLastDayOfMonth:1 toLastDayOfWeek:1-2 toMonday:1 toStartOfISOYear:1 toStartOfYear:1 toStartOfQuarter:1 toStartOfMonth:1 makeDate:3",
  ),
  ...define(
    "DateTime",
    "toStartOfDay:1-2 toStartOfHour:1 toStartOfMinute:1 toStartOfSecond:1 toStartOfFiveMinutes:1 toStartOfFiveMinute=toStartOfFiveMinutes:1 toStartOfTenMinutes:1 toStartOfFifteenMinutes:1 toStartOfMillisecond:1 toStartOfMicrosecond:1 toStartOfNanosecond:1 timeSlot:1 toTimeZone:2 fromUnixTimestamp64Milli:1-2 fromUnixTimestamp64Micro:1-2 fromUnixTimestamp64Nano:1-2 UUIDv7ToDateTime:1-2",
  ),
  ...define(
    "Same",
    "dateAdd:2-3 date_add=dateAdd:2-3 dateSub:2-3 date_sub=dateSub:2-3 timestampAdd:2-3 timestampSub:2-3 timeStampAdd=timestampAdd:2-3 timeStampSub=timestampSub:2-3 addDate:2 subDate:2 addYears:2 addQuarters:2 addMonths:2 addWeeks:2 addDays:2 addHours:2 addMinutes:2 addSeconds:2 subtractYears:2 subtractQuarters:2 subtractMonths:2 subtractWeeks:2 subtractDays:2 subtractHours:2 subtractMinutes:2 subtractSeconds:2",
  ),
  ...define("Unknown", "toStartOfInterval:2-3 date_trunc=dateTrunc:2-3 dateTrunc:2-3 toTime:1"),
  ...define("Tuple", "tumble:2-3 hop:3-4"),
  ...define("DateTime", "tumbleStart:1-3 tumbleEnd:1-3 hopStart:1-3 hopEnd:1-3"),
  ...define("String", "formatDateTime:1-3 monthName:1 dateName:2 timeZoneOf:1"),
  ...define(
    "Interval",
    "toIntervalSecond:1 toIntervalMinute:1 toIntervalHour:1 toIntervalDay:1 toIntervalWeek:1 toIntervalMonth:1 toIntervalQuarter:1 toIntervalYear:1",
  ),
]
