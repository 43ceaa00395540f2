import type { ProjectId } from "../../../kernel/ids.js"

/**
 * What warnings of a day are counted under. Whoever writes several rows writes them in the order of these texts: two writers
 * then wait for each other's rows instead of dead-locking over them.
 */
export const toWarningKey = (projectId: ProjectId, reason: string, event: string): string =>
  JSON.stringify([projectId, reason, event])
