import { asProjectId, type ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import { channelOf, type SessionActivity } from "./recording-change.types.js"

/** Rows of one table, as ingestion has them. */
interface StoredRows {
  readonly table: string
  readonly rows: readonly { readonly json: string }[]
}

interface CounterRow {
  readonly project_id: number
  readonly session_id: string
  readonly inserted_at: string
}

/** Sessions of one message: a busy project's batch makes several small ones. */
const MAX_SESSIONS_PER_MESSAGE = 500

/** Tells, once rows of recordings are stored, of which sessions they are. Not waited for: storing goes on, whoever listens. */
export function createActivityTeller(pubSub: Pick<PubSub, "publish">, logger: Logger) {
  let isAway = false
  return (inserts: readonly StoredRows[]): void => {
    const counters = inserts.filter(({ table }) => table === "session_replay_events").flatMap(({ rows }) => rows)
    const activities = counters.map(({ json }) => JSON.parse(json) as CounterRow)
    for (const [projectId, own] of Map.groupBy(activities, (row) => asProjectId(row.project_id)))
      for (let first = 0; first < own.length; first += MAX_SESSIONS_PER_MESSAGE)
        tell(projectId, own.slice(first, first + MAX_SESSIONS_PER_MESSAGE).map(toActivity))
  }

  function tell(projectId: ProjectId, activities: readonly SessionActivity[]): void {
    pubSub.publish(channelOf(projectId), activities as unknown as Json).then(
      () => {
        isAway = false
      },
      (error: unknown) => {
        // Once, and not for every batch until it is back.
        if (!isAway) logger.warn("activity of recordings cannot be told", { err: error, projectId })
        isAway = true
      },
    )
  }
}

const toActivity = ({ session_id: sessionId, inserted_at }: CounterRow): SessionActivity => ({
  sessionId,
  receivedAtMs: Date.parse(`${inserted_at.replace(" ", "T")}Z`),
})
