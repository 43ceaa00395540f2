import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject, toStorableJson } from "../../kernel/json.js"
import { requireName } from "../../kernel/text-length.js"
import { checkPathCleaning, PATH_CLEANING_SETTING, toPathCleaningSetting } from "./path-cleaning.js"
import type { ProjectArgs } from "./projects.graphql.js"
import type { ProjectChanges } from "./projects.types.js"

const MAX_NAME_LENGTH = 200
/** Settings travel with every flag and capture look-up, so they stay small. */
const MAX_SETTINGS_CHARACTERS = 100_000

/** Checks of single settings by their name; each throws an AppError for a value that cannot be used. */
export type SettingChecks = Readonly<Record<string, (value: Json) => void>>

/** Settings that no other feature knows. */
const OWN_CHECKS: SettingChecks = { [PATH_CLEANING_SETTING]: checkPathCleaning }

/** @throws AppError naming the field at fault and its rule. */
export function checkProject(request: ProjectArgs, settingChecks: SettingChecks = {}): ProjectChanges {
  const { name, timezone, weekStartDay } = request
  const settings = withPathCleaning(request)
  return {
    ...(name == null ? {} : { name: requireName("name", name, MAX_NAME_LENGTH) }),
    ...(timezone == null ? {} : { timezone: checkTimezone(timezone) }),
    ...(weekStartDay == null ? {} : { weekStartDay: checkWeekStartDay(weekStartDay) }),
    ...(settings == null ? {} : { settings: checkSettings(settings, { ...OWN_CHECKS, ...settingChecks }) }),
  }
}

/** An alias in its usual writing, such as `Asia/Kathmandu`; ClickHouse tells capitals apart. */
const USUAL_WRITING = /^(?:US|[A-Z][a-z]+)(?:\/[A-Z][A-Za-z]*[a-z][\w+-]*)+$/

/** Offsets such as `+02:00` are refused: they know no summer time. */
function checkTimezone(timezone: string): string {
  const standard = /^[A-Za-z]/.test(timezone) ? toStandardName(timezone) : null
  if (standard === null) {
    const detail = "timezone must be an IANA name such as Europe/Prague."
    throw new AppError("invalid_choice", { attr: "timezone", detail })
  }
  return USUAL_WRITING.test(timezone) ? timezone : standard
}

/** The name under which the runtime knows a zone, in its exact writing; null when it knows none. */
function toStandardName(timezone: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

function checkWeekStartDay(day: number): number {
  if (Number.isInteger(day) && day >= 0 && day <= 6) return day
  throw invalid("week_start_day", "week_start_day must be between 0 (Sunday) and 6 (Saturday).")
}

/** The settings with the rules for paths, which have a field of their own. */
function withPathCleaning({ settings, pathCleaningFilters }: ProjectArgs): Json | undefined {
  if (pathCleaningFilters == null) return settings
  const rules = toPathCleaningSetting(pathCleaningFilters)
  if (settings == null) return rules
  if (!isJsonObject(settings)) return settings
  if (!Object.hasOwn(settings, PATH_CLEANING_SETTING)) return { ...settings, ...rules }
  throw invalid(PATH_CLEANING_SETTING, `${PATH_CLEANING_SETTING} cannot be given in settings as well.`)
}

function checkSettings(settings: Json, checks: SettingChecks): JsonObject {
  if (!isJsonObject(settings)) throw invalid("settings", "settings must be an object.")
  if (JSON.stringify(settings).length > MAX_SETTINGS_CHARACTERS)
    throw invalid("settings", `settings must have no more than ${MAX_SETTINGS_CHARACTERS} characters as JSON.`)
  const storable = toStorableJson(settings)
  // null removes a setting.
  for (const [name, value] of Object.entries(storable))
    if (value !== null && Object.hasOwn(checks, name)) checks[name]?.(value)
  return storable
}

const invalid = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })
