import type { QueryParameters } from "../../platform/clickhouse/click-house.js"

/** The sessions that ClickHouse keeps up beside the events, one row for each (decision 0058). */
export interface SessionRollup {
  /** Whether it holds the sessions of all events. Once it does it always will. */
  isFilled(): Promise<boolean>
  /**
   * Hands events to it once more, which changes nothing of what it has of them already.
   * @param condition SQL over `events`.
   */
  refill(condition: string, parameters: QueryParameters): Promise<void>
}
