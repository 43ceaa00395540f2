import type { DateRange, Interval } from "../insights/date-range.js"
import { earliestEvent, toInsightRange } from "../insights/insight-dates.js"
import type { QueryReader } from "../insights/query-reader.js"
import type { RunScope } from "../queries.types.js"
import type { HogqlRunner } from "./hogql-runner.js"

/** `dateRange` of an insight, looking for the project's first event when it begins with `all`. */
export const readRange = (
  reader: QueryReader,
  interval: Interval | null,
  runner: HogqlRunner,
  run: RunScope,
): Promise<DateRange> =>
  toInsightRange(reader, interval, run, async () => {
    const { rows } = await runner.runNodes(earliestEvent(), run)
    const found = Number(rows[0]?.[0] ?? 0)
    return found > 0 ? found : run.nowMs
  })
