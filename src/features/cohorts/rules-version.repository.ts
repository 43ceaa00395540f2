import { type EntityManager, LockMode } from "@mikro-orm/postgresql"
import type { ProjectId } from "../../kernel/ids.js"
import { RulesVersionEntity } from "./cohort.entity.js"

/** Grows with every change of a project's flags, cohorts and group types. */
export async function readRulesVersion(em: EntityManager, projectId: ProjectId): Promise<number> {
  return (await em.findOne(RulesVersionEntity, projectId))?.version ?? 0
}

/**
 * The same within a transaction that is going to change them, first of all in it: nobody else changes any until it ends, so
 * that what was checked against the others still holds if the version is still the one read before.
 */
export async function lockRules(em: EntityManager, projectId: ProjectId): Promise<number> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
  return (await em.findOne(RulesVersionEntity, projectId, locked))?.version ?? 0
}
