import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLObjectType,
  GraphQLString,
} from "graphql"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { isObject, makeEnum, makeList, makeObject } from "./make-types.js"
import { createFilterPresenter, readFilters } from "./property-filters.js"
import { makeQuotaInput, readQuotas, showQuotaField, showQuotas } from "./quota-limits.js"

const COOKIELESS = makeEnum("CookielessMode", "What becomes of events of visitors without cookies.", {
  STATEFUL: "Visitors are told apart for a day, with sessions and logins.",
  STATELESS: "Nothing of them is kept.",
  OFF: "They are dropped.",
})
const RESTRICTION = makeEnum("CaptureRestrictionType", "What a restriction does to events.", {
  DROP_EVENT: ["drop_event_from_ingestion", "They are dropped."],
  SKIP_PERSON_PROCESSING: ["skip_person_processing", "They change no person."],
})
const PIPELINE = makeEnum("CapturePipeline", "Which events are meant.", {
  ANALYTICS: "Those for queries.",
  SESSION_RECORDINGS: "Those of recordings.",
})
const texts = (description: string) => ({ type: makeList(GraphQLString), description })
const RESTRICTION_FIELDS = {
  type: { type: new GraphQLNonNull(RESTRICTION), description: "What it does." },
  pipelines: { type: makeList(PIPELINE), description: "Events of these; all when absent." },
  distinctIds: texts("Events of these ids."),
  eventNames: texts("Events of these names."),
  sessionIds: texts("Events of these sessions."),
  eventUuids: texts("Events with these UUIDs."),
} as const
const RESTRICTION_NAMES = {
  type: "type",
  pipelines: "pipelines",
  distinctIds: "distinct_ids",
  eventNames: "event_names",
  sessionIds: "session_ids",
  eventUuids: "event_uuids",
} as const
const PLAIN = {
  anonymizeIps: { type: GraphQLBoolean, description: "Whether addresses that events come from are discarded." },
  autocaptureOptOut: { type: GraphQLBoolean, description: "Whether autocapture is off." },
  cookielessMode: { type: COOKIELESS, description: "What becomes of events without cookies; STATEFUL when absent." },
  eventRetentionDays: { type: GraphQLInt, description: "Days for which events are kept; for ever when unset or 0." },
  featureFlagApproval: { type: GraphQLBoolean, description: "Whether changes of flags need a second person." },
  featureFlagRequestLimit: {
    type: GraphQLFloat,
    description: "Flag requests that the organization may make in a calendar month (UTC).",
  },
  pluginLogRetentionDays: {
    type: GraphQLInt,
    description: "Days for which logs of plugins are kept; 90 when unset, 0 is for ever.",
  },
  sessionRecordingRetentionDays: {
    type: GraphQLInt,
    description: "Days for which recordings are kept; 30 when unset, 0 is for ever.",
  },
} as const
const PLAIN_NAMES = {
  anonymizeIps: "anonymize_ips",
  autocaptureOptOut: "autocapture_opt_out",
  cookielessMode: "cookieless_mode",
  eventRetentionDays: "event_retention_days",
  featureFlagApproval: "feature_flag_approval",
  featureFlagRequestLimit: "feature_flag_request_limit",
  pluginLogRetentionDays: "plugin_log_retention_days",
  sessionRecordingRetentionDays: "session_recording_retention_days",
} as const
/** What each plain setting must be to be shown with its type. */
const PLAIN_CHECKS: readonly (readonly [name: keyof typeof PLAIN, isRight: (value: Json) => boolean])[] = [
  ["anonymizeIps", (value) => typeof value === "boolean"],
  ["autocaptureOptOut", (value) => typeof value === "boolean"],
  ["cookielessMode", (value) => COOKIELESS.getValues().some((mode) => mode.value === value)],
  ["eventRetentionDays", (value) => Number.isInteger(value)],
  ["featureFlagApproval", (value) => typeof value === "boolean"],
  ["featureFlagRequestLimit", (value) => typeof value === "number"],
  ["pluginLogRetentionDays", (value) => Number.isInteger(value)],
  ["sessionRecordingRetentionDays", (value) => Number.isInteger(value)],
]

/** Settings of projects: those that are known, and all of them as REST has them. */
export function listSettingPlaces(find: TypeFinder, filter: GraphQLObjectType): Record<string, TypedPlace> {
  const restriction = makeObject("CaptureRestriction", "Events that are treated otherwise.", () => RESTRICTION_FIELDS)
  const settings = makeObject("ProjectSettings", "Options of a project; null for what is not set.", () => ({
    ...PLAIN,
    captureRestrictions: { type: makeList(restriction), description: "Events that are treated otherwise." },
    quotaLimits: showQuotaField(find),
    testAccountFilters: { type: makeList(filter), description: "What holds for events that are not of test accounts." },
    raw: {
      type: new GraphQLNonNull(find.output("JSON")),
      description: "All of them, as REST has them; also those of recorders and those that only clients know.",
    },
  }))
  const restrictionInput = new GraphQLInputObjectType({
    name: "CaptureRestrictionInput",
    description: "Events that are treated otherwise: those that are in every list that is given.",
    fields: RESTRICTION_FIELDS,
  })
  const input = new GraphQLInputObjectType({
    name: "ProjectSettingsInput",
    description: "Options of a project: what is given is set, null removes, all else stays.",
    fields: () => ({
      ...PLAIN,
      captureRestrictions: { type: makeList(restrictionInput), description: "Events that are treated otherwise." },
      quotaLimits: makeQuotaInput(find),
      testAccountFilters: {
        type: makeList(find.input("PropertyFilterInput")),
        description: "What holds for events that are not of test accounts.",
      },
      raw: { type: find.input("JSON"), description: "Options as REST has them; the other fields win over it." },
    }),
  })
  const given: TypedPlace = { type: input, description: "What is given is set, null removes.", read: readSettings }
  return {
    "Project.settings": {
      type: settings,
      description: "Options that SDKs and features read.",
      show: createPresenter(find),
    },
    "Mutation.createProject.settings": given,
    "Mutation.updateProject.settings": given,
  }
}

function createPresenter(find: TypeFinder) {
  const show = createFilterPresenter(find)
  return (raw: unknown) => {
    const settings = isObject(raw) ? raw : {}
    const { capture_restrictions: restrictions, test_account_filters: filters } = settings
    return {
      ...showPlain(settings),
      captureRestrictions: Array.isArray(restrictions) ? restrictions.filter(isObject).map(showRestriction) : null,
      quotaLimits: showQuotas(settings.quota_limits),
      testAccountFilters: Array.isArray(filters) ? filters.flatMap((one) => show(one) ?? []) : null,
      raw,
    }
  }
}

const showPlain = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    PLAIN_CHECKS.map(([name, isRight]) => {
      const value = settings[PLAIN_NAMES[name]] ?? null
      return [name, isRight(value) ? value : null]
    }),
  )

const showRestriction = (restriction: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(RESTRICTION_NAMES).map(([name, stored]) => [name, restriction[stored] ?? null]))

/** Settings by the names of REST; a null is kept, as it removes. */
function readSettings(given: unknown): unknown {
  const { captureRestrictions, quotaLimits, testAccountFilters, raw, ...plain } = Object(given)
  // What is no object is refused by the rule for settings.
  if (raw != null && !isObject(raw)) return raw
  return {
    ...raw,
    ...rename(plain, PLAIN_NAMES),
    ...(captureRestrictions !== undefined && {
      capture_restrictions: captureRestrictions?.map((one: JsonObject) => rename(one, RESTRICTION_NAMES)) ?? null,
    }),
    ...(quotaLimits !== undefined && { quota_limits: readQuotas(quotaLimits) }),
    ...(testAccountFilters !== undefined && {
      test_account_filters: testAccountFilters === null ? null : readFilters(testAccountFilters),
    }),
  }
}

const rename = (values: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names[name] ?? name, value]))
