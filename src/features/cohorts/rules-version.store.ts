import type { EntityManager } from "@mikro-orm/postgresql"
import type { Pool } from "pg"
import type { ProjectId } from "../../kernel/ids.js"

const VERSION = "SELECT version::float8 AS version FROM flag_rule_version WHERE project_id = "

/** Grows with every change of a project's flags, cohorts and group types. */
export async function readRulesVersion(pool: Pool, projectId: ProjectId): Promise<number> {
  const statement = { name: "cohorts.rulesVersion", text: `${VERSION}$1`, values: [projectId] }
  const { rows } = await pool.query<{ version: number }>(statement)
  return rows[0]?.version ?? 0
}

/**
 * The same within a transaction that is going to change them, first of all in it: nobody else changes any until it ends, so
 * that what was checked against the others still holds if the version is still the one read before.
 */
export async function lockRules(em: EntityManager, projectId: ProjectId): Promise<number> {
  const [row] = await em.execute<{ version: number }[]>(`${VERSION}? FOR UPDATE`, [projectId])
  return row?.version ?? 0
}
