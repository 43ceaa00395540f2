import type { GraphQLEnumType } from "graphql"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { makeEnum, makeList } from "./make-types.js"

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
  ROLLED: "A key got another value.",
  REVOKED: "A key was revoked.",
  KEY_CREATED: ["key created", "A project got another public key."],
  KEY_REVOKED: ["key revoked", "A public key of a project was revoked."],
  INVITED: "Somebody was invited.",
  JOINED: "Somebody joined.",
  REMOVED: "Somebody was removed.",
  OTHER,
})
const ACTIVITY_SCOPE = makeEnum("ActivityScope", "Kind of a thing that was changed.", {
  ACTION: ["Action", "An action."],
  COHORT: ["Cohort", "A cohort."],
  FEATURE_FLAG: ["FeatureFlag", "A feature flag."],
  INSIGHT: ["Insight", "An insight."],
  ORGANIZATION: ["Organization", "An organization."],
  ORGANIZATION_MEMBER: ["OrganizationMember", "Somebody's place in an organization."],
  PERSONAL_API_KEY: ["PersonalApiKey", "A personal key."],
  PLUGIN_CONFIG: ["PluginConfig", "A plugin of a project."],
  PROJECT: ["Project", "A project, its public keys among its fields."],
  PROJECT_SECRET: ["ProjectSecret", "A secret key of a project."],
  SESSION_RECORDING_PLAYLIST: ["SessionRecordingPlaylist", "A playlist."],
  USER: ["User", "A user."],
  OTHER,
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

/** Words of the operations that are closed sets: enums in the graph. */
export const listClosedSets = (find: TypeFinder): Readonly<Record<string, TypedPlace>> => ({
  "Activity.activity": { type: ACTIVITY_KIND, description: "What was done.", show: toKnownWord(ACTIVITY_KIND) },
  "Activity.scope": { type: ACTIVITY_SCOPE, description: "Kind of the thing.", show: toKnownWord(ACTIVITY_SCOPE) },
  "DeadLetter.reason": { type: DEAD_LETTER_REASON, description: "Why it could not be stored." },
  "FeatureFlag.bucketingIdentifier": { type: FLAG_BUCKETING, description: "What persons are told apart by." },
  "FeatureFlag.evaluationRuntime": { type: FLAG_RUNTIME, description: "Where the flag is evaluated." },
  "FeatureFlag.status": { type: FLAG_STATUS, description: "What the flag is." },
  "FeatureFlagActivity.activity": {
    type: ACTIVITY_KIND,
    description: "What was done.",
    show: toKnownWord(ACTIVITY_KIND),
  },
  "FeatureFlagFilter.evaluationRuntime": { type: FLAG_RUNTIME, description: "Where they are evaluated." },
  "FeatureFlagInput.bucketingIdentifier": {
    type: FLAG_BUCKETING,
    description: "What persons are told apart by; null means DISTINCT_ID.",
  },
  "FeatureFlagInput.evaluationRuntime": { type: FLAG_RUNTIME, description: "Where it is evaluated; null means ALL." },
  "FlagConditionExplanation.outcome": { type: CONDITION_OUTCOME, description: "What the condition came to." },
  "FlagFilterExplanation.error": { type: FLAG_ERROR },
  "FlagFilterExplanation.type": { type: FLAG_FILTER, description: "What is asked.", show: toKnownWord(FLAG_FILTER) },
  "FlagReason.code": { type: FLAG_REASON, description: "The reason, or why it failed." },
  "IngestionWarning.severity": { type: WARNING_SEVERITY, description: "What became of the events." },
  "PersonPropertyFilter.operator": {
    type: find.input("PropertyOperator"),
    description: "How to compare, EXACT when absent; versions and ranges are for queries alone.",
  },
  "PersonPropertyGroup.type": { type: FILTER_JOIN, description: "AND when absent." },
  "Query.activityLog.scope": { type: ACTIVITY_SCOPE },
  "Query.accountActivityLog.scope": { type: ACTIVITY_SCOPE },
  "SessionRecordingFilter.consoleLevels": {
    type: makeList(CONSOLE_LEVEL),
    description: "Levels of which the console has a line.",
  },
  "SessionRecordingPlaylistActivity.activity": {
    type: ACTIVITY_KIND,
    description: "What was done.",
    show: toKnownWord(ACTIVITY_KIND),
  },
  "StaleFeatureFlag.reasons": { type: makeList(STALE_REASON), description: "Why it could go." },
})
