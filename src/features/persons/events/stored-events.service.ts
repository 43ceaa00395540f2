import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { isUuid, type ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { RunHogql } from "../actors/event-actors.service.js"
import type { StoredEvent } from "./stored-events.graphql.js"

const MAX_FIRST = 100
const DAY_MS = 86_400_000
const DEFAULT_DAYS = 90
const COLUMNS =
  "uuid, event, distinct_id, toUnixTimestamp64Milli(timestamp), properties, ifNull($session_id, ''), elements_chain"

/** Which events of many sessions, or of many persons, or of all. */
export interface EventsWanted {
  readonly by: "session" | "person" | "all"
  /** Ids of sessions, or distinct ids of each person. */
  readonly groups: readonly (readonly string[])[]
  readonly event: string | null
  readonly from: Date | null
  readonly before: Date | null
  /** Of each group. */
  readonly first: number
}

export type StoredEventsService = ReturnType<typeof createStoredEventsService>

/** Reads single events and the latest ones, by HogQL, which knows where they are and whose. */
export function createStoredEventsService(runHogql: RunHogql, clock: Clock) {
  const run = async (projectId: ProjectId, query: string, values: JsonObject): Promise<StoredEvent[]> =>
    (await runHogql(projectId, { query, values })).map((row) => toEvent(projectId, row))

  return {
    /** Events of these UUIDs, in any order; texts that are none are passed over. */
    async findMany(projectId: ProjectId, uuids: readonly string[]): Promise<StoredEvent[]> {
      const ids = uuids.filter(isUuid)
      if (ids.length === 0) return []
      return run(projectId, `SELECT ${COLUMNS} FROM events WHERE uuid IN {ids} LIMIT 1 BY uuid LIMIT ${MAX_FIRST}`, {
        ids,
      })
    },

    /** The latest events of each group, newest first. @throws AppError invalid_input naming `first`. */
    async listLatest(projectId: ProjectId, wanted: EventsWanted): Promise<StoredEvent[][]> {
      const { by, groups, event, first } = wanted
      if (!Number.isInteger(first) || first < 1 || first > MAX_FIRST)
        throw new AppError("invalid_input", { attr: "first", detail: `first must be between 1 and ${MAX_FIRST}.` })
      const ids = [...new Set(groups.flat())]
      if (by !== "all" && ids.length === 0) return groups.map(() => [])
      const key = by === "session" ? "$session_id" : "distinct_id"
      const conditions = [...toTimes(wanted, clock.now()), ...(event === null ? [] : ["event = {event}"])]
      if (by !== "all") conditions.push(`${key} IN {ids}`)
      const limitBy = by === "all" ? "" : `LIMIT ${first} BY ${key}`
      const events = await run(
        projectId,
        `SELECT ${COLUMNS} FROM events WHERE ${conditions.join(" AND ") || "true"}
         ORDER BY timestamp DESC, uuid ${limitBy} LIMIT ${first * Math.max(1, ids.length)}`,
        { ids, event },
      )
      if (by === "all") return [events]
      const belongsTo = (one: StoredEvent, group: readonly string[]): boolean =>
        group.includes((by === "session" ? one.sessionId : one.distinctId) ?? "")
      return groups.map((group) => events.filter((one) => belongsTo(one, group)).slice(0, first))
    },
  }
}

/** Bounds of the time; a session needs none. */
function toTimes({ by, from, before }: EventsWanted, nowMs: number): string[] {
  const fromMs = from?.getTime() ?? (by === "session" ? null : nowMs - DEFAULT_DAYS * DAY_MS)
  return [
    ...(fromMs === null ? [] : [`timestamp >= toDateTime64('${new Date(fromMs).toISOString()}', 3)`]),
    ...(before === null ? [] : [`timestamp < toDateTime64('${before.toISOString()}', 3)`]),
  ]
}

function toEvent(projectId: ProjectId, row: readonly Json[]): StoredEvent {
  const [id, event, distinctId, ms, properties, sessionId, elementsChain] = row
  return {
    projectId,
    id: String(id),
    event: String(event),
    distinctId: String(distinctId),
    timestamp: new Date(Number(ms)),
    properties: readProperties(properties ?? null),
    sessionId: sessionId === "" ? null : String(sessionId),
    elementsChain: String(elementsChain),
  }
}

/** Properties as a row of HogQL has them: an object, or its text. */
export function readProperties(value: Json): JsonObject {
  const read: Json = typeof value === "string" ? JSON.parse(value) : value
  return isJsonObject(read) ? read : {}
}
