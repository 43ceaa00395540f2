import { AppError } from "./errors.js"
import type { Json, JsonObject } from "./json.js"

export const DAY_MS = 86_400_000
const MAX_DAYS = 36_500

/** A setting of projects that says for how many days something is kept. */
export interface RetentionSetting {
  readonly name: string
  /** For a project without the setting; null is for ever. */
  readonly defaultDays: number | null
}

/**
 * Checks such a setting: 0, which stands for ever, to 36500.
 * @throws AppError invalid_input naming the setting.
 */
export function checkRetentionDays({ name }: RetentionSetting, value: Json): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_DAYS) return
  const detail = `${name} must be a whole number of days from 0, which stands for ever, to ${MAX_DAYS}.`
  throw new AppError("invalid_input", { attr: `settings__${name}`, detail })
}

/** Days for which a project keeps it; null is for ever. A value that cannot be used counts as none. */
export function readRetentionDays({ name, defaultDays }: RetentionSetting, settings: JsonObject): number | null {
  const days = settings[name]
  if (typeof days !== "number" || !Number.isInteger(days) || days < 0 || days > MAX_DAYS) return defaultDays
  return days === 0 ? null : days
}
