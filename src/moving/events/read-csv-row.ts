import { isUuid } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import type { FoundRow } from "../files/found-row.js"
import {
  type CaptureRules,
  type EventToSend,
  type LeftOut,
  toSortedTime,
  toTimestamp,
  uuidOfId,
} from "./event-to-send.js"

/** Which column of a table says what. All others are properties under their own names. */
export interface CsvColumns {
  readonly distinct_id: string
  readonly timestamp: string
  /** Null where all rows are of one event, which `eventName` names. */
  readonly event: string | null
  /** Null where rows have no id. */
  readonly uuid: string | null
}

/** Makes sure that a table has the columns that were named. @throws StartupError naming those that it has. */
export function requireColumns({ row, place }: FoundRow, columns: CsvColumns): void {
  if (row === null) return
  const missing = Object.values(columns).find((name) => name !== null && !Object.hasOwn(row, name))
  if (missing === undefined) return
  const present = Object.keys(row).slice(0, SHOWN_COLUMNS).join(", ")
  throw new StartupError(`There is no column "${missing}" in ${place}. Its columns are: ${present}.`)
}

const SHOWN_COLUMNS = 20
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/

/** Reads a row of a table. Empty cells are no properties; numbers, true and false are what they say. */
export function readCsvRow(
  row: JsonObject,
  {
    columns,
    eventName,
    rules,
  }: { readonly columns: CsvColumns; readonly eventName: string | null } & {
    readonly rules: CaptureRules
  },
): EventToSend | LeftOut {
  const time = toSortedTime(row[columns.timestamp], rules.parseTime)
  if (time === null) return { leftOut: "invalid_timestamp" }
  const mapped = new Set<string | null>(Object.values(columns))
  const properties = Object.entries(row).filter(([name, value]) => !mapped.has(name) && value !== "")
  const item: JsonObject = {
    event: (columns.event === null ? eventName : row[columns.event]) ?? null,
    distinct_id: row[columns.distinct_id] ?? null,
    timestamp: toTimestamp(time),
    properties: Object.fromEntries(properties.map(([name, value]) => [name, readCell(value)])),
  }
  const reason = rules.findDropReason(item)
  if (reason !== null) return { leftOut: reason }
  return { uuid: findUuid(columns.uuid === null ? "" : row[columns.uuid]), isOfPerson: false, time, item }
}

function findUuid(cell: Json = ""): string | null {
  if (typeof cell !== "string" || cell === "") return null
  return isUuid(cell) ? cell.toLowerCase() : uuidOfId("event", cell)
}

function readCell(cell: Json): Json {
  if (typeof cell !== "string") return cell
  if (NUMBER.test(cell)) return Number(cell)
  return cell === "true" || cell === "false" ? cell === "true" : cell
}
