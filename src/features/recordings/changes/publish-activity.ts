import { asProjectId, type ProjectId } from "../../../kernel/ids.js"
import type { OutageLog } from "../../../platform/logger/outage-log.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import { type SessionActivity, toActivityChannel } from "./recording-change.types.js"

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

/** Publishes, once rows of recordings are stored, of which sessions they are. Not awaited: storing goes on, whoever listens. */
export function createActivityPublisher(pubSub: Pick<PubSub, "publish">, outage: OutageLog) {
  return (inserts: readonly StoredRows[]): void => {
    const counters = inserts.filter(({ table }) => table === "session_replay_events").flatMap(({ rows }) => rows)
    const rows = counters.map(({ json }): CounterRow => JSON.parse(json))
    for (const [projectId, own] of Map.groupBy(rows, (row) => asProjectId(row.project_id)))
      for (let first = 0; first < own.length; first += MAX_SESSIONS_PER_MESSAGE)
        publish(projectId, own.slice(first, first + MAX_SESSIONS_PER_MESSAGE).map(toActivity))
  }

  function publish(projectId: ProjectId, activities: readonly SessionActivity[]): void {
    pubSub.publish(toActivityChannel(projectId), activities).then(outage.worked, outage.failed)
  }
}

const toActivity = ({ session_id: sessionId, inserted_at }: CounterRow): SessionActivity => ({
  sessionId,
  receivedAtMs: Date.parse(`${inserted_at.replace(" ", "T")}Z`),
})
