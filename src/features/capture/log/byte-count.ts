import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { ByteQuota, IngestionWarnings } from "../capture.types.js"

/**
 * Makes what counts bytes of events against the quota of their project. Each request that it refuses is a warning of the project
 * (`docs/contract/capture.md#byte-quota`).
 * @returns a function that answers the refusal, or null.
 */
export const createByteCount =
  (quota: ByteQuota, warnings: IngestionWarnings) =>
  (projectId: ProjectId, bytes: number): AppError | null => {
    try {
      quota.take(projectId, bytes)
      return null
    } catch (fault) {
      if (!(fault instanceof AppError)) throw fault
      const detail = `a request with ${bytes} bytes of events was refused`
      const about = { event: null, distinctId: null, uuid: null, detail }
      warnings.record(projectId, [{ severity: "dropped", reason: "byte_quota_exceeded", ...about }])
      return fault
    }
  }
