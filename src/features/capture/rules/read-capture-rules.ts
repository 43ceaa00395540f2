import { AppError } from "../../../kernel/errors.js"
import { toComparedSessionId } from "../../../kernel/ids.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { readUuid } from "../steps/assign-uuid.js"
import { isZonedTime, parseTime } from "../steps/parse-time.js"
import {
  type CaptureRules,
  PIPELINES,
  QUOTA_RESOURCES,
  RESTRICTION_LISTS,
  RESTRICTION_TYPES,
  type Restriction,
} from "./capture-rules.types.js"
import { EVENT_RETENTION_CHECKS, toEventRetentionDays } from "./event-retention.js"

/** Project setting: which resources are used up, and until when: `{"recordings": "2026-12-01T00:00:00Z"}`. */
const QUOTAS_SETTING = "quota_limits"
/** Project setting: list of `{type, pipelines?, distinct_ids?, event_names?, session_ids?, event_uuids?}`. */
const RESTRICTIONS_SETTING = "capture_restrictions"
const MAX_RESTRICTIONS = 100

/** Reads one setting. @throws AppError invalid_input naming the setting and the rule. */
export const CAPTURE_SETTING_CHECKS: Readonly<Record<string, (value: Json) => void>> = {
  [QUOTAS_SETTING]: (value) => void readQuotas(value),
  [RESTRICTIONS_SETTING]: (value) => void readRestrictions(value),
  ...EVENT_RETENTION_CHECKS,
}

const known = new WeakMap<JsonObject, CaptureRules | null>()

/**
 * The rules that a project's settings hold; null when there are none, which is the usual case. Settings are read once per
 * object: a project in memory keeps its own until it changes. Unusable ones, which are refused on saving, are passed over.
 */
export function readCaptureRules(settings: JsonObject | undefined): CaptureRules | null {
  if (settings === undefined) return null
  let rules = known.get(settings)
  if (rules === undefined) {
    rules = readRules(settings)
    known.set(settings, rules)
  }
  return rules
}

function readRules(settings: JsonObject): CaptureRules | null {
  const { [QUOTAS_SETTING]: quotas, [RESTRICTIONS_SETTING]: restrictions } = settings
  const retentionDays = toEventRetentionDays(settings)
  if (quotas === undefined && restrictions === undefined && retentionDays === null) return null
  return {
    retentionDays,
    limitedUntilMs: usable(quotas, readQuotas) ?? new Map(),
    restrictions: usable(restrictions, readRestrictions) ?? [],
  }
}

function usable<T>(value: Json | undefined, read: (value: Json) => T): T | null {
  if (value === undefined) return null
  try {
    return read(value)
  } catch {
    return null
  }
}

function readQuotas(value: Json): CaptureRules["limitedUntilMs"] {
  if (!isJsonObject(value)) throw refuse(QUOTAS_SETTING, "must be an object of resources and times")
  return new Map(
    Object.entries(value).map(([name, until]) => {
      const resource = QUOTA_RESOURCES.find((one) => one === name)
      const untilMs = isZonedTime(until) ? parseTime(until) : null
      if (resource === undefined)
        throw refuse(QUOTAS_SETTING, `does not know "${name}"; use ${QUOTA_RESOURCES.join(", ")}`)
      if (untilMs === null) throw refuse(QUOTAS_SETTING, `needs an ISO 8601 time with its zone for "${name}"`)
      return [resource, untilMs]
    }),
  )
}

function readRestrictions(value: Json): Restriction[] {
  if (!Array.isArray(value)) throw refuse(RESTRICTIONS_SETTING, "must be a list")
  if (value.length > MAX_RESTRICTIONS)
    throw refuse(RESTRICTIONS_SETTING, `must have no more than ${MAX_RESTRICTIONS} entries`)
  return value.map(readRestriction)
}

function readRestriction(value: Json): Restriction {
  if (!isJsonObject(value)) throw refuse(RESTRICTIONS_SETTING, "must hold objects")
  const allowed = new Set<string>(["type", "pipelines", ...RESTRICTION_LISTS])
  const unknown = Object.keys(value).find((name) => !allowed.has(name))
  if (unknown !== undefined)
    throw refuse(RESTRICTIONS_SETTING, `does not know "${unknown}"; use ${[...allowed].join(", ")}`)
  const type = RESTRICTION_TYPES.find((one) => one === value.type)
  if (type === undefined) throw refuse(RESTRICTIONS_SETTING, `needs a type: ${RESTRICTION_TYPES.join(", ")}`)
  const pipelines = readStrings(value.pipelines, "pipelines")
  if ([...pipelines].some((name) => !PIPELINES.some((one) => one === name)))
    throw refuse(RESTRICTIONS_SETTING, `knows the pipelines ${PIPELINES.join(", ")}`)
  return {
    type,
    pipelines: pipelines.size === 0 ? new Set(PIPELINES) : (pipelines as Restriction["pipelines"]),
    lists: {
      distinct_ids: readStrings(value.distinct_ids, "distinct_ids"),
      event_names: readStrings(value.event_names, "event_names"),
      session_ids: mapSet(readStrings(value.session_ids, "session_ids"), toComparedSessionId),
      event_uuids: mapSet(readStrings(value.event_uuids, "event_uuids"), (text) => readUuid(text) ?? text),
    },
  }
}

/** Values as events have them, however the operator wrote them. */
const mapSet = (values: ReadonlySet<string>, change: (value: string) => string): ReadonlySet<string> =>
  new Set([...values].map(change))

function readStrings(value: Json | undefined, name: string): ReadonlySet<string> {
  if (value == null) return new Set()
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    throw refuse(RESTRICTIONS_SETTING, `wants a list of texts as "${name}"`)
  return new Set(value)
}

const refuse = (setting: string, rule: string): AppError =>
  new AppError("invalid_input", { attr: "settings", detail: `${setting} ${rule}.` })
