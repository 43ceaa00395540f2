import { dateBound, HogqlError } from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import { asPersonId, type ProjectId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { KeyValue } from "../../../kernel/list-order.js"
import { firstRows, type ListPage, type PageRequest } from "../../../kernel/paging.js"
import { readPage } from "../../../kernel/read-page.js"
import type { EventActorType, EventConditionArgs } from "./event-actors.graphql.js"

/** Answers a HogQL query object with its rows. Throws AppError for what the query or the engine is at fault. */
export type RunHogql = (projectId: ProjectId, query: JsonObject) => Promise<readonly (readonly Json[])[]>

/** Which events count. */
export type EventCondition = Readonly<EventConditionArgs>

/** Somebody who did an event. */
export type EventActor = Readonly<EventActorType>

export type EventActorsService = ReturnType<typeof createEventActorsService>

const MOST_EVENTS_FIRST = [
  { property: "eventCount", kind: "integer", isDescending: true },
  { property: "personId", kind: "uuid", isDescending: false },
] as const
const DEFAULT_DATE_FROM = "-7d"
const MAX_EXPORTED_ACTORS = 10_000

/** Tells who did an event, as `persons/trends` needs it. */
export function createEventActorsService(runHogql: RunHogql) {
  /** Everything but the conditions is ours, and the dates were read before. */
  const run: RunHogql = (projectId, query) =>
    runHogql(projectId, query).catch((thrown: unknown) => {
      if (!(thrown instanceof AppError) || thrown.code !== "hogql_query_error") throw thrown
      throw new AppError("invalid_input", { attr: "properties", detail: thrown.message, cause: thrown })
    })

  async function list(projectId: ProjectId, query: JsonObject): Promise<EventActor[]> {
    const rows = await run(projectId, query)
    return rows.map(([personId, eventCount]) => ({
      projectId,
      personId: asPersonId(String(personId)),
      eventCount: Number(eventCount),
    }))
  }

  return {
    /** Those with more events first. @throws AppError for conditions that no query can have. */
    page: (projectId: ProjectId, condition: EventCondition, request: PageRequest): Promise<ListPage<EventActor>> =>
      readPage<EventActor>(
        {
          order: MOST_EVENTS_FIRST,
          read: async (range) => ({ rows: await list(projectId, toListQuery(condition, range)) }),
          count: async () => {
            const text = "SELECT count(DISTINCT person_id) FROM events WHERE "
            const [[count] = []] = await run(
              projectId,
              toQuery(condition, (where) => `${text}${where}`),
            )
            return Number(count ?? 0)
          },
        },
        request,
      ),

    /** The 10,000 with most events. */
    export: (projectId: ProjectId, condition: EventCondition): Promise<EventActor[]> =>
      list(projectId, toListQuery(condition, firstRows(MAX_EXPORTED_ACTORS))),
  }
}

function toListQuery(condition: EventCondition, { from, isBackward, limit, offset }: PageRequest): JsonObject {
  const [more, less, next] = isBackward ? ["ASC", ">", "<"] : ["DESC", "<", ">"]
  const [count, personId] = from ?? []
  const beyond =
    from === null ? "" : `HAVING event_count ${less} {count} OR (event_count = {count} AND person_id ${next} {person})`
  return toQuery(
    condition,
    (where) => `SELECT person_id, count() AS event_count FROM events WHERE ${where} GROUP BY person_id ${beyond}
      ORDER BY event_count ${more}, person_id ${isBackward ? "DESC" : "ASC"} LIMIT ${limit} OFFSET ${offset}`,
    { count: count ?? null, person: personId ?? null },
  )
}

function toQuery(
  condition: EventCondition,
  toText: (where: string) => string,
  values: Readonly<Record<string, KeyValue>> = {},
): JsonObject {
  const { event, properties, dateFrom, dateTo } = condition
  if (properties != null && typeof properties !== "object")
    throw new AppError("invalid_input", { attr: "properties", detail: "properties must be a list of filters." })
  checkDate("dateFrom", dateFrom)
  checkDate("dateTo", dateTo)
  return {
    kind: "HogQLQuery",
    query: toText(event == null ? "{filters}" : "event = {event} AND {filters}"),
    values: { event: event ?? null, ...values },
    filters: {
      dateRange: { date_from: dateFrom ?? DEFAULT_DATE_FROM, date_to: toExclusiveEnd(dateTo ?? null) },
      properties: properties ?? [],
    },
  }
}

/** A day is meant as a whole; the filter leaves its end out (`docs/contract/management.md#person-trends`). */
function toExclusiveEnd(written: string | null): string | null {
  if (written === null || !/^\d{4}-\d{2}-\d{2}$/.test(written)) return written
  const day = new Date(`${written}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return written
  day.setUTCDate(day.getUTCDate() + 1)
  return day.toISOString().slice(0, "YYYY-MM-DD".length)
}

function checkDate(attr: string, written: string | null | undefined): void {
  try {
    if (written != null) dateBound(written, { start: 0, end: 0 })
  } catch (thrown) {
    if (!(thrown instanceof HogqlError)) throw thrown
    throw new AppError("invalid_input", { attr, detail: thrown.message, cause: thrown })
  }
}
