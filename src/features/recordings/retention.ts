import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { ProjectReader } from "./recordings.types.js"

const SETTING = "session_recording_retention_days"
const DEFAULT_DAYS = 30
const MAX_DAYS = 3650

export const DAY_MS = 86_400_000

/** Days for which a project keeps recordings: its setting `session_recording_retention_days`, 1 to 3650; 30 when unset. */
export function toRetentionDays({ [SETTING]: days }: JsonObject): number {
  return typeof days === "number" && days >= 1 && days <= MAX_DAYS ? days : DEFAULT_DAYS
}

/** The same of a project that may be gone by now, as ingestion meets it. */
export async function readRetentionDays(projects: ProjectReader, projectId: ProjectId): Promise<number> {
  try {
    return toRetentionDays((await projects.get(projectId)).settings)
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return DEFAULT_DAYS
    throw error
  }
}
