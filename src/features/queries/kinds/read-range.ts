import type { DateRange, Interval } from "../insights/date-range.js"
import { earliestEvent, toInsightRange } from "../insights/insight-dates.js"
import type { QueryReader } from "../insights/query-reader.js"
import type { KindContext } from "./kind-context.js"

/** `dateRange` of an insight, looking for the project's first event when it begins with `all`. */
export const readRange = (reader: QueryReader, interval: Interval | null, context: KindContext): Promise<DateRange> =>
  toInsightRange(reader, interval, context.run, async () => {
    const { rows } = await context.select(earliestEvent())
    const found = Number(rows[0]?.[0] ?? 0)
    return found > 0 ? found : context.run.nowMs
  })
