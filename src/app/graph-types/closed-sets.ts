import type { GraphQLEnumType } from "graphql"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { makeEnum, makeList } from "./make-types.js"
import { SCOPE_PLACES } from "./scopes.js"
import { WARNING_REASON } from "./warning-reasons.js"

/** What was stored by another release, or is no word that is known. */
const OTHER = "Something that this release has no word for."

const FLAG_STATUS = makeEnum("FeatureFlagStatus", "What a flag is.", {
  ACTIVE: ["ACTIVE", "It is evaluated."],
  INACTIVE: ["INACTIVE", "It is off for everybody."],
  DELETED: ["DELETED", "It is deleted, and can be restored."],
})
const FLAG_RUNTIME = makeEnum("FeatureFlagRuntime", "Where a flag is evaluated.", {
  ALL: "Everywhere.",
  CLIENT: "In browsers and apps.",
  SERVER: "On servers.",
})
const FLAG_BUCKETING = makeEnum("FeatureFlagBucketing", "What persons are told apart by.", {
  DISTINCT_ID: "The id under which they come.",
  DEVICE_ID: "The id of their device.",
})
const OUTCOMES = {
  CONDITION_MATCH: "A release condition holds.",
  NO_CONDITION_MATCH: "No release condition holds.",
  OUT_OF_ROLLOUT_BOUND: "A release condition holds, and its rollout leaves the user out.",
  NO_GROUP_TYPE: "It is about groups, and the request named none of the type.",
} as const
const CONDITION_OUTCOME = makeEnum("FlagConditionOutcome", "What a release condition comes to.", OUTCOMES)
const ERROR_CODES = {
  TIMEOUT_ERROR: "What it needs was not read in time.",
  DATABASE_UNAVAILABLE: "A store was away.",
  HASH_KEY_OVERRIDE_ERROR: "The value that is kept over a login could not be read.",
  DEPENDENCY_NOT_FOUND_COHORT: "A cohort that it asks for is gone.",
  DEPENDENCY_CYCLE_COHORT: "Cohorts that it asks for ask for each other.",
  DEPENDENCY_CYCLE_FLAG: "Flags that it depends on depend on each other.",
  FLAG_DATA_PARSING_ERROR: "Its definition cannot be read.",
} as const
const FLAG_ERROR = makeEnum("FlagErrorCode", "Why a flag could not be computed.", ERROR_CODES)
const FLAG_REASON = makeEnum("FlagReasonCode", "Why a flag has its value, or could not be computed.", {
  ...OUTCOMES,
  SUPER_CONDITION_VALUE: "The condition above all others decides.",
  HOLDOUT_CONDITION_VALUE: "The user is held out.",
  MISSING_DEPENDENCY: "A flag that it depends on is gone.",
  FLAG_DISABLED: "It is off.",
  ...ERROR_CODES,
})
const FLAG_FILTER = makeEnum("FlagFilterType", "What a filter of a flag asks for.", {
  PERSON: "A property of the person.",
  GROUP: "A property of a group.",
  COHORT: "Whether the person is in a cohort.",
  FLAG: "The value of another flag.",
  PERSON_METADATA: "When the person was created.",
  OTHER,
})
const STALE_REASON = makeEnum("StaleFeatureFlagReason", "Why a flag could go.", {
  SAME_FOR_EVERYBODY: ["SAME_FOR_EVERYBODY", "Everybody has the same value."],
  OFF_FOR_EVERYBODY: ["OFF_FOR_EVERYBODY", "Nobody has it."],
  INACTIVE: ["INACTIVE", "It is off."],
  NOT_CALLED: ["NOT_CALLED", "No SDK asked for it."],
})
const DEAD_LETTER_REASON = makeEnum("DeadLetterReason", "Why something could not be stored.", {
  UNREADABLE_ROW: "The row of the log could not be unpacked.",
  UNREADABLE_REQUEST: "The request is no text that events can be read from.",
  NOT_AN_EVENT: "An item of the request is no event.",
  UNREADABLE_EVENT: "The event cannot be read.",
  UNPROCESSABLE: "The event could not be processed.",
  REFUSED_BY_STORE: "A store refused it.",
  UNKNOWN: "An earlier release did not say.",
})
const WARNING_SEVERITY = makeEnum("IngestionWarningSeverity", "What became of events.", {
  DROPPED: "They were not ingested.",
  CHANGED: "They were ingested, but not as sent.",
})
const CONSOLE_LEVEL = makeEnum("ConsoleLevel", "Level of a line of a console.", {
  INFO: "Neither a warning nor an error.",
  WARN: "A warning.",
  ERROR: "An error.",
})
const ACTIVITY_KIND = makeEnum("ActivityKind", "What was done.", {
  CREATED: "It was made.",
  UPDATED: "It was changed.",
  DELETED: "It was deleted.",
  UPDATED_BY_PLAN: ["updated by plan", "It was changed at a time that somebody had planned."],
  UPDATED_ON_APPROVAL: ["updated on approval", "It was changed once a second person had approved that."],
  CHANGE_REQUESTED: ["change requested", "Somebody asked a second person for a change of it."],
  CHANGE_APPROVED: ["change approved", "The second person approved."],
  CHANGE_REJECTED: ["change rejected", "The second person rejected it, or who had asked withdrew it."],
  CHANGE_PLANNED: ["change planned", "A change of it was planned."],
  PLAN_REMOVED: ["plan removed", "Such a plan was removed."],
  ROLLED: "A key got another value.",
  REVOKED: "A key was revoked.",
  KEY_CREATED: ["key created", "A project got another public key."],
  KEY_REVOKED: ["key revoked", "A public key of a project was revoked."],
  INVITED: "Somebody was invited.",
  JOINED: "Somebody joined.",
  REMOVED: "Somebody was removed.",
  SHARED: "A link was made with which anybody reads it.",
  UNSHARED: "Such a link was revoked.",
  SIGNED_IN: ["signed in", "A user signed in by browser."],
  SIGNED_OUT: ["signed out", "A user signed out."],
  SESSION_REVOKED: ["session revoked", "A user ended one of their sessions."],
  PASSWORD_SET: ["password set", "A user chose their first password."],
  PASSWORD_CHANGED: ["password changed", "A user changed their password."],
  PASSWORD_RESET: ["password reset", "A user chose another password by a link."],
  SECOND_FACTOR_ADDED: ["second factor added", "A user has codes of an authenticator asked for."],
  SECOND_FACTOR_REMOVED: ["second factor removed", "These are not asked for any more."],
  RECOVERY_CODE_USED: ["recovery code used", "A user signed in by a recovery code."],
  RESET_LINK_MADE: ["reset link made", "Somebody made a link with which a user sets another password."],
  OTHER,
})
const ACTIVITY_SCOPE = makeEnum("ActivityScope", "Kind of a thing that was changed.", {
  ACTION: ["Action", "An action."],
  COHORT: ["Cohort", "A cohort."],
  DASHBOARD: ["Dashboard", "A dashboard."],
  EVENT_DELETION: ["EventDeletion", "A deletion of events."],
  EVENT_DEFINITION: ["EventDefinition", "The name of events."],
  FEATURE_FLAG: ["FeatureFlag", "A feature flag."],
  INSIGHT: ["Insight", "An insight."],
  ORGANIZATION: ["Organization", "An organization."],
  ORGANIZATION_MEMBER: ["OrganizationMember", "Somebody's place in an organization."],
  PERSONAL_API_KEY: ["PersonalApiKey", "A personal key."],
  PLUGIN_CONFIG: ["PluginConfig", "A plugin of a project."],
  PROJECT: ["Project", "A project, its public keys among its fields."],
  PROJECT_SECRET: ["ProjectSecret", "A secret key of a project."],
  PROPERTY_DEFINITION: ["PropertyDefinition", "The name of properties."],
  SESSION_RECORDING_PLAYLIST: ["SessionRecordingPlaylist", "A playlist."],
  USER: ["User", "A user."],
  OTHER,
})
const RECORDING_SOURCE = makeEnum("RecordingSource", "What was recorded.", {
  WEB: "A page in a browser.",
  MOBILE: "An app.",
  OTHER: "What a client has another word for.",
})
const RECORDING_STORAGE = makeEnum("RecordingStorage", "Kind of place where a recording lies.", {
  OBJECT_STORAGE: "With the other data of the project.",
})
const BUILT_IN_PLUGIN = makeEnum("BuiltInPlugin", "A plugin of Waymark itself.", {
  GEOIP: "It finds the place of an address.",
})
const QUOTA = makeEnum("DecisionQuota", "A quota that decisions take from.", {
  FEATURE_FLAGS: "Requests for flags in a month.",
})
const FILTER_JOIN = makeEnum("FilterJoin", "How conditions belong together.", {
  AND: ["AND", "All hold."],
  OR: ["OR", "One is enough."],
})

/** A word as the enum has it, `other` where it has none. */
const toKnownWord = (type: GraphQLEnumType): ((word: unknown) => unknown) => {
  const words: ReadonlySet<unknown> = new Set(type.getValues().map(({ value }) => value))
  return (word) => (words.has(word) ? word : "other")
}

/** Ways to compare of filters on properties, and those of filters on other flags. */
function makeFlagOperator(find: TypeFinder): GraphQLEnumType {
  const values = Object.entries(find.enum("PropertyOperator").toConfig().values)
  return makeEnum("FlagFilterOperator", "How a filter of a flag compares.", {
    ...Object.fromEntries(values.map(([name, { value, description }]) => [name, [value, description ?? ""]])),
    FLAG_EVALUATES_TO: "The other flag has that value.",
    OTHER,
  })
}

const toWordPlace = (type: GraphQLEnumType, description: string): TypedPlace => ({
  type,
  description,
  show: toKnownWord(type),
})

/** Words of the operations that are closed sets: enums in the graph. */
export const listClosedSets = (find: TypeFinder): Readonly<Record<string, TypedPlace>> => ({
  ...SCOPE_PLACES,
  "Activity.activity": toWordPlace(ACTIVITY_KIND, "What was done."),
  "Activity.scope": toWordPlace(ACTIVITY_SCOPE, "Kind of the thing."),
  "CaptureNote.reason": toWordPlace(WARNING_REASON, "The rule."),
  "DeadLetter.reason": { type: DEAD_LETTER_REASON, description: "Why it could not be stored." },
  "FeatureFlag.bucketingIdentifier": { type: FLAG_BUCKETING, description: "What persons are told apart by." },
  "FeatureFlag.evaluationRuntime": { type: FLAG_RUNTIME, description: "Where the flag is evaluated." },
  "FeatureFlag.status": { type: FLAG_STATUS, description: "What the flag is." },
  "FeatureFlagFilter.evaluationRuntime": { type: FLAG_RUNTIME, description: "Where they are evaluated." },
  "FeatureFlagInput.bucketingIdentifier": {
    type: FLAG_BUCKETING,
    description: "What persons are told apart by; null means DISTINCT_ID.",
  },
  "FeatureFlagInput.evaluationRuntime": { type: FLAG_RUNTIME, description: "Where it is evaluated; null means ALL." },
  "FlagConditionExplanation.outcome": { type: CONDITION_OUTCOME, description: "What the condition came to." },
  "FlagDecision.quotaLimited": { type: makeList(QUOTA), description: "What the organization has used up." },
  "FlagFilterExplanation.error": { type: FLAG_ERROR },
  "FlagFilterExplanation.operator": toWordPlace(makeFlagOperator(find), "How it is compared."),
  "FlagFilterExplanation.type": toWordPlace(FLAG_FILTER, "What is asked."),
  "FlagReason.code": { type: FLAG_REASON, description: "The reason, or why it failed." },
  "IngestionWarning.reason": toWordPlace(WARNING_REASON, "The rule."),
  "IngestionWarning.severity": { type: WARNING_SEVERITY, description: "What became of the events." },
  "Insight.kind": { type: find.enum("QueryKind"), description: "Kind of the query." },
  "InsightFilter.kind": { type: find.enum("QueryKind"), description: "Kind of the query." },
  "PersonPropertyFilter.operator": {
    type: find.enum("PropertyOperator"),
    description: "How to compare, EXACT when absent; versions and ranges are for queries alone.",
  },
  "PersonPropertyGroup.type": { type: FILTER_JOIN, description: "AND when absent." },
  "PluginConfig.builtIn": { type: BUILT_IN_PLUGIN },
  "Query.activityLog.scope": { type: ACTIVITY_SCOPE },
  "Query.accountActivityLog.scope": { type: ACTIVITY_SCOPE },
  "QueryRunError.code": { type: find.enum("ErrorCode") },
  "SessionRecording.snapshotSource": toWordPlace(RECORDING_SOURCE, "What was recorded."),
  "SessionRecording.storage": { type: RECORDING_STORAGE },
  "SessionRecordingFilter.consoleLevels": {
    type: makeList(CONSOLE_LEVEL),
    description: "Levels of which the console has a line.",
  },
  "StaleFeatureFlag.reasons": { type: makeList(STALE_REASON), description: "Why it could go." },
})
