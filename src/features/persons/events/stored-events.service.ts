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

/** By what events belong together, with the column that tells. */
const KEYS = {
  session: "ifNull($session_id, '')",
  person: "distinct_id",
  group0: "$group_0",
  group1: "$group_1",
  group2: "$group_2",
  group3: "$group_3",
  group4: "$group_4",
  all: "''",
} as const

/** Groups by the index of their type. */
export const GROUP_TYPES = ["group0", "group1", "group2", "group3", "group4"] as const

/** Whose events: of sessions, persons, groups of one type, or all. */
export type EventsBy = keyof typeof KEYS

/** Which events of many sessions, persons or groups, or of all. */
export interface EventsWanted {
  readonly by: EventsBy
  /** Ids of sessions, keys of groups, or the distinct ids of each person. */
  readonly subjects: readonly (readonly string[])[]
  readonly event: string | null
  readonly from: Date | null
  readonly before: Date | null
  /** Of each subject. */
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

    /** The latest events of each subject, newest first. @throws AppError invalid_input naming `first`. */
    async listLatest(projectId: ProjectId, wanted: EventsWanted): Promise<StoredEvent[][]> {
      const { by, subjects, event, first } = wanted
      if (!Number.isInteger(first) || first < 1 || first > MAX_FIRST)
        throw new AppError("invalid_input", { attr: "first", detail: `first must be between 1 and ${MAX_FIRST}.` })
      const ids = [...new Set(subjects.flat())]
      if (by !== "all" && ids.length === 0) return subjects.map(() => [])
      const key = KEYS[by]
      const conditions = [...toTimes(wanted, clock.now()), ...(event === null ? [] : ["event = {event}"])]
      if (by !== "all") conditions.push(`${key} IN {ids}`)
      const limitBy = by === "all" ? "" : `LIMIT ${first} BY ${key}`
      const rows = await runHogql(projectId, {
        query: `SELECT ${COLUMNS}, ${key} FROM events WHERE ${conditions.join(" AND ") || "true"}
         ORDER BY timestamp DESC, uuid ${limitBy} LIMIT ${first * Math.max(1, ids.length)}`,
        values: { ids, event },
      })
      const events = rows.map((row) => ({ key: String(row.at(-1)), event: toEvent(projectId, row) }))
      return subjects.map((subject) => {
        const own = by === "all" ? events : events.filter((one) => subject.includes(one.key))
        return own.slice(0, first).map((one) => one.event)
      })
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
