import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import { checkRetentionDays, DAY_MS, type RetentionSetting, readRetentionDays } from "../../kernel/retention-days.js"
import type { ProjectReader } from "./recordings.types.js"

const SETTING: RetentionSetting = { name: "session_recording_retention_days", defaultDays: 30 }

/** When a row ends that has no end: the last second that the type of `expires_at` holds. */
const NEVER_MS = 4_294_967_295_000

/** Checks the setting. @throws AppError invalid_input. */
export const RECORDING_SETTING_CHECKS: Readonly<Record<string, (value: Json) => void>> = {
  [SETTING.name]: (value) => checkRetentionDays(SETTING, value),
}

/** Days for which a project keeps recordings: its setting; 30 when unset, null for ever. */
export const toRecordingRetentionDays = (settings: JsonObject): number | null => readRetentionDays(SETTING, settings)

/** Milliseconds since the epoch from which on recordings are kept. */
export function toKeptFromMs(settings: JsonObject, nowMs: number): number {
  const days = toRecordingRetentionDays(settings)
  return days === null ? 0 : nowMs - days * DAY_MS
}

/** When what was received at a time ends, in a project that may be gone by now, as ingestion meets it. */
export async function readEndMs(projects: ProjectReader, projectId: ProjectId, receivedAtMs: number): Promise<number> {
  const days = toRecordingRetentionDays(await readSettings(projects, projectId))
  return days === null ? NEVER_MS : Math.min(receivedAtMs + days * DAY_MS, NEVER_MS)
}

async function readSettings(projects: ProjectReader, projectId: ProjectId): Promise<JsonObject> {
  try {
    return (await projects.get(projectId)).settings
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return {}
    throw error
  }
}
