import type { ProjectId } from "../../../kernel/ids.js"
import type { ClickHouse, QueryParameters } from "../../../platform/clickhouse/click-house.js"
import { deleteRows } from "../../../platform/clickhouse/mutate-rows.js"
import type { KeptSessions } from "../persons.types.js"
import { type DeletionIds, selectIds, selectVersions } from "./deletion-ids.store.js"

interface Deletion {
  readonly requestId: string
  readonly projectId: ProjectId
}

/**
 * Sessions of deleted events, which are made anew of the events that are left: others may have been in them. Rows of a
 * session that were written before the last of its events was deleted may know of it, and go.
 */
export function createDeletionSessions(
  clickHouse: Pick<ClickHouse, "rows" | "command">,
  listed: Pick<DeletionIds, "add">,
  sessions: KeptSessions,
) {
  const toParameters = ({ projectId, requestId }: Deletion): QueryParameters => ({
    project: projectId,
    deletion: requestId,
  })
  return {
    /** Names the sessions of events that are going to be deleted, which meet a condition over `events`. */
    async list(deletion: Deletion, condition: string, parameters: QueryParameters): Promise<void> {
      const sql = `INSERT INTO person_deletion_ids
        SELECT DISTINCT {deletion:UInt64}, 'session', \`$session_id\`, 0 FROM events
         WHERE project_id = {project:Int64} AND \`$session_id\` != '' AND ${condition}`
      await clickHouse.command({ sql, parameters: { ...toParameters(deletion), ...parameters } })
    },

    /**
     * Notes that all rows of these sessions that there are now may know of deleted events; to be called once those are
     * gone and none can come any more.
     * @returns false, with nothing noted, while events of before the roll-up are still added to it.
     */
    async markStale(deletion: Deletion): Promise<boolean> {
      if (!(await sessions.isFilled())) return false
      const sql = `INSERT INTO person_deletion_ids
        SELECT DISTINCT deletion, 'stale_session', id, toUnixTimestamp64Milli(now64(3)) FROM person_deletion_ids
         WHERE deletion = {deletion:UInt64} AND kind = 'session'`
      await clickHouse.command({ sql, parameters: toParameters(deletion) })
      return true
    },

    /** Deletes the stale rows, and once they are gone makes the sessions anew. @returns whether that is done. */
    async remake(deletion: Deletion): Promise<boolean> {
      const { requestId } = deletion
      const parameters = toParameters(deletion)
      const has = async (kind: "stale_session" | "remade_session"): Promise<boolean> =>
        (await clickHouse.rows({ sql: `${selectIds(kind)} LIMIT 1`, parameters })).length > 0
      if (!(await has("stale_session"))) return true
      const stale = selectVersions(
        "stored.session_id, stored.written_at",
        "session_rollup",
        "session_id",
        "stale_session",
      )
      const areGone = await deleteRows(clickHouse, {
        table: "session_rollup",
        condition: `project_id = {project:Int64} AND (session_id, written_at) IN (
          ${stale} AND toUnixTimestamp64Milli(stored.written_at) <= listed.version)`,
        parameters,
        name: `deletion ${requestId}`,
      })
      if (!areGone) return false
      if (await has("remade_session")) return true
      await sessions.refill(
        `project_id = {project:Int64} AND \`$session_id\` IN (${selectIds("stale_session")})`,
        parameters,
      )
      await listed.add(requestId, [{ kind: "remade_session", id: "", version: 0 }])
      return true
    },
  }
}
