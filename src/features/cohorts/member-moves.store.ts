import type { PoolClient } from "pg"
import type { DeletedPersons, PersonMerge } from "../persons/index.js"

const MOVE = `
  WITH merge AS (SELECT * FROM unnest($1::int[], $2::uuid[], $3::uuid[]) AS merge (project_id, source_id, target_id)),
  moved AS (
    DELETE FROM cohort_member AS member USING merge
     WHERE member.project_id = merge.project_id AND member.person_id = merge.source_id
    RETURNING member.project_id, merge.target_id, member.cohort_id)
  INSERT INTO cohort_member (project_id, person_id, cohort_id)
  SELECT project_id, target_id, cohort_id FROM moved ON CONFLICT DO NOTHING`

/** Makes surviving persons members of the static cohorts of those merged into them, in the transaction of the merge. */
export async function moveCohortMembers(client: PoolClient, merges: readonly PersonMerge[]): Promise<void> {
  const last = findLastSurvivors(merges)
  await client.query(MOVE, [
    last.map(({ projectId }) => projectId),
    last.map(({ sourceId }) => sourceId),
    last.map(({ targetId }) => targetId),
  ])
}

/** Takes deleted persons out of every static cohort, in the transaction of the deletion. */
export async function removeDeletedMembers(
  client: PoolClient,
  { projectId, personIds }: Pick<DeletedPersons, "projectId" | "personIds">,
): Promise<void> {
  await client.query("DELETE FROM cohort_member WHERE project_id = $1 AND person_id = ANY ($2::uuid[])", [
    projectId,
    personIds,
  ])
}

/** Whom each merged person ends up as: a target may itself be merged later on. */
function findLastSurvivors(merges: readonly PersonMerge[]): PersonMerge[] {
  const survivors = new Map<string, PersonMerge>()
  const toKey = (projectId: number, personId: string): string => `${projectId}:${personId}`
  // From the last to the first, so that the way on from a target is known already.
  for (const merge of merges.toReversed()) {
    const onward = survivors.get(toKey(merge.projectId, merge.targetId))
    survivors.set(
      toKey(merge.projectId, merge.sourceId),
      onward === undefined ? merge : { ...merge, targetId: onward.targetId },
    )
  }
  return [...survivors.values()]
}
