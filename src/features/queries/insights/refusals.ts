import type { Json } from "../../../kernel/json.js"
import type { QueryReader } from "./query-reader.js"

/**
 * For insights of one period: a query that asks to compare two is refused rather than answered without it.
 * @throws AppError parse_error
 */
export function refuseComparison(query: QueryReader): void {
  if (query.object("compareFilter").flag("compare"))
    throw query.fault("compareFilter", "is not supported: trends, funnels, stickinesses and web kinds compare periods")
}

/**
 * Refuses options that would change the numbers and are not implemented, unless they have the value that changes nothing.
 * @throws AppError parse_error
 */
export function refuseOptions(reader: QueryReader, options: Readonly<Record<string, Json>>): void {
  for (const [option, nothing] of Object.entries(options)) {
    const value = reader.value(option)
    if (value !== null && value !== nothing) throw reader.fault(option, "is not supported")
  }
}

/**
 * `samplingFactor` allows an answer to be an estimate. Numbers here are always exact, so it is only checked to be a share.
 * @throws AppError parse_error
 */
export function checkSampling(query: QueryReader): void {
  const factor = query.number("samplingFactor", { min: 0, max: 1 })
  if (factor === 0) throw query.fault("samplingFactor", "must be more than 0")
}
