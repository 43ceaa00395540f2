import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { StoredSecret } from "../../access/index.js"

/** A secret key of a project as it may be shown. */
export interface ProjectSecret {
  readonly id: string
  /** First and last four characters of the value. */
  readonly maskedValue: string
  readonly createdAt: Date
}

/** A key together with its value, which is not stored anywhere. */
export interface IssuedProjectSecret extends ProjectSecret {
  readonly value: string
}

/** Secret keys of projects at rest. Changes write the audit log in the same transaction. */
export interface ProjectSecretRepository {
  /** Live keys, oldest first. */
  list(projectId: ProjectId): Promise<ProjectSecret[]>
  /** Null when the project has `maxLive` live keys already. */
  insert(
    projectId: ProjectId,
    secret: StoredSecret,
    by: UserId,
    now: Date,
    maxLive: number,
  ): Promise<ProjectSecret | null>
  /** Whether there was such a live key. */
  revoke(projectId: ProjectId, id: string, by: UserId, now: Date): Promise<boolean>
}
