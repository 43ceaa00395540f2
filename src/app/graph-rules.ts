import { GraphQLID, GraphQLInputObjectType, GraphQLInt, GraphQLNonNull, GraphQLString } from "graphql"
import type { GraphRules, Identifier, PayloadRule, RecordRule, Values } from "../transport/graphql/shape/graph-rules.js"
import { EDGES } from "./graph-edges.js"
import { TYPED_PLACES } from "./graph-types/typed-places.js"

const toId = ({ id }: Values): string => String(id)

const byNumber = (toArguments: Identifier["toArguments"]): Identifier => ({
  type: GraphQLInt,
  description: "Its number, as in REST paths.",
  toArguments,
})
const byUuid: Identifier = { type: GraphQLID, description: "Its UUID.", toArguments: (id) => ({ id }) }

/** A record of a project that has a number, by which its look-up finds it. */
const numbered = (lookUp: string): RecordRule => ({
  documented: "number",
  isOfProject: true,
  lookUp,
  identifiers: { number: byNumber((id) => ({ id })) },
  toKey: toId,
  toArguments: (key) => ({ id: Number(key) }),
})

/** The same for one whose look-up takes its short id. */
const shortNamed = (lookUp: string, others: RecordRule["identifiers"] = {}): RecordRule => ({
  documented: "number",
  isOfProject: true,
  lookUp,
  identifiers: {
    shortId: { type: GraphQLID, description: "Its eight characters.", toArguments: (shortId) => ({ shortId }) },
    ...others,
  },
  toKey: ({ shortId }) => String(shortId),
  toArguments: (shortId) => ({ shortId }),
})

const RECORDS: GraphRules["records"] = {
  // Some belong to no project, so their ids have none; the look-up asks for the project of those that do.
  Activity: {
    documented: "uuid",
    isOfProject: false,
    lookUp: "activityEntry",
    identifiers: { uuid: byUuid },
    toKey: toId,
    toArguments: (id) => ({ id }),
  },
  Action: numbered("action"),
  Cohort: numbered("cohort"),
  Dashboard: shortNamed("dashboard"),
  Event: {
    documented: "uuid",
    isOfProject: true,
    lookUp: "event",
    identifiers: { uuid: byUuid },
    toKey: toId,
    toArguments: (id) => ({ id }),
  },
  EventDefinition: {
    documented: null,
    isOfProject: true,
    lookUp: "eventDefinition",
    identifiers: { name: { type: GraphQLString, description: "The name.", toArguments: (id) => ({ id }) } },
    toKey: ({ name }) => String(name),
    toArguments: (id) => ({ id }),
  },
  FeatureFlag: {
    ...numbered("featureFlag"),
    identifiers: {
      number: byNumber((number) => ({ id: String(number) })),
      key: { type: GraphQLString, description: "Its key.", toArguments: (key) => ({ key }) },
    },
    toArguments: (id) => ({ id }),
  },
  Group: {
    documented: null,
    isOfProject: true,
    lookUp: "group",
    identifiers: {
      named: {
        type: new GraphQLInputObjectType({
          name: "GroupName",
          description: "A group by its type and key.",
          fields: {
            typeIndex: { type: new GraphQLNonNull(GraphQLInt), description: "Index of the type, see groupTypes." },
            key: { type: new GraphQLNonNull(GraphQLString), description: "Key of the group within its type." },
          },
        }),
        description: "Its type and key.",
        toArguments: (named) => ({ ...Object(named) }),
      },
    },
    toKey: ({ typeIndex, key }) => `${typeIndex}:${key}`,
    toArguments: (name) => ({ typeIndex: Number(name.slice(0, 1)), key: name.slice(2) }),
  },
  Insight: shortNamed("insight"),
  Me: {
    documented: "number",
    isOfProject: false,
    lookUp: "me",
    identifiers: {},
    toKey: toId,
    toArguments: () => ({}),
  },
  Organization: {
    documented: "uuid",
    isOfProject: false,
    lookUp: "organization",
    identifiers: { uuid: byUuid },
    toKey: toId,
    toArguments: (id) => ({ id }),
  },
  Person: {
    documented: "uuid",
    isOfProject: true,
    lookUp: "person",
    identifiers: {
      uuid: byUuid,
      distinctId: {
        type: GraphQLString,
        description: "Any of the person's distinct ids.",
        toArguments: (distinctId) => ({ distinctId }),
      },
    },
    toKey: toId,
    toArguments: (id) => ({ id }),
  },
  PersonalApiKey: {
    documented: "uuid",
    isOfProject: false,
    lookUp: "personalApiKeys",
    identifiers: {},
    toKey: toId,
    toArguments: () => ({}),
  },
  PluginConfig: {
    ...numbered("pluginConfig"),
    identifiers: { number: byNumber((number) => ({ id: String(number) })) },
    toArguments: (id) => ({ id }),
  },
  PluginLogEntry: {
    documented: "uuid",
    isOfProject: true,
    lookUp: "pluginLogEntry",
    identifiers: {},
    toKey: ({ pluginConfigId, timestamp, id }) => `${pluginConfigId}:${Number(timestamp)}:${id}`,
    toArguments: (key) => {
      const [pluginConfigId, time, id] = key.split(":")
      return { pluginConfigId: Number(pluginConfigId), timestamp: new Date(Number(time)), id }
    },
  },
  Project: {
    documented: "number",
    isOfProject: false,
    lookUp: "project",
    identifiers: {
      number: byNumber((number) => ({ id: String(number) })),
      token: { type: GraphQLString, description: "A public key of the project.", toArguments: (id) => ({ id }) },
    },
    toKey: toId,
    toArguments: (id) => ({ id }),
  },
  ProjectSecretKey: {
    documented: "uuid",
    isOfProject: true,
    lookUp: "projectSecretKeys",
    identifiers: {},
    toKey: toId,
    toArguments: () => ({}),
  },
  PropertyDefinition: {
    documented: null,
    isOfProject: true,
    lookUp: "propertyDefinition",
    identifiers: {},
    toKey: ({ kind, groupTypeIndex, name }) => `${String(kind).replace("_property", "")}:${groupTypeIndex}:${name}`,
    toArguments: (id) => ({ id }),
  },
  QueryRun: {
    documented: "queryId",
    isOfProject: true,
    lookUp: "queryStatus",
    identifiers: {},
    toKey: toId,
    toArguments: (id) => ({ id }),
  },
  ScheduledExport: numbered("scheduledExport"),
  SessionRecording: {
    documented: "sessionId",
    isOfProject: true,
    lookUp: "sessionRecording",
    identifiers: { sessionId: { type: GraphQLID, description: "Id of the session.", toArguments: (id) => ({ id }) } },
    toKey: toId,
    toArguments: (id) => ({ id }),
  },
  SessionRecordingPlaylist: shortNamed("sessionRecordingPlaylist", {
    number: {
      type: GraphQLInt,
      description: "Its number.",
      toArguments: (number) => ({ number }),
      lookUp: "sessionRecordingPlaylistByNumber",
    },
  }),
  User: {
    documented: "number",
    isOfProject: false,
    lookUp: "user",
    identifiers: { number: byNumber((id) => ({ id })) },
    toKey: toId,
    toArguments: (key) => ({ id: Number(key) }),
  },
}

/** Types of the records that arguments name. */
const RECORD_ARGUMENTS: GraphRules["recordArguments"] = {
  fromProjectId: "Project",
  organizationId: "Organization",
  organizationIds: "Organization",
  pluginConfigId: "PluginConfig",
  projectId: "Project",
  projectIds: "Project",
  sessionId: "SessionRecording",
  sessionRecordingId: "SessionRecording",
  sessionRecordingIds: "SessionRecording",
  shortId: "SessionRecordingPlaylist",
  targetProjectIds: "Project",
  userId: "User",
  "Query.events.personId": "Person",
  "Query.dependentFeatureFlags.id": "FeatureFlag",
  "Query.explainFlag.flag": "FeatureFlag",
  "Query.featureFlagChangeRequests.flagId": "FeatureFlag",
  "Query.featureFlagActivity.id": "FeatureFlag",
  "Query.queryStatus.id": "QueryRun",
  "Query.queryStatuses.ids": "QueryRun",
  "Query.remoteConfigPayload.flag": "FeatureFlag",
  "Query.sessionRecordingSnapshotSources.id": "SessionRecording",
  "Query.sessionRecordingSnapshots.id": "SessionRecording",
  "Mutation.addCohortMembers.id": "Cohort",
  "Mutation.cancelQuery.id": "QueryRun",
  "Mutation.createCohortOfFlag.id": "FeatureFlag",
  "Mutation.createDashboardShareLink.shortId": "Dashboard",
  "Mutation.createFeatureFlagScheduledChange.id": "FeatureFlag",
  "Mutation.deleteFeatureFlag.id": "FeatureFlag",
  "Mutation.deleteOrganization.id": "Organization",
  "Mutation.deletePerson.id": "Person",
  "Mutation.deletePersons.ids": "Person",
  "Mutation.deleteScheduledExport.id": "ScheduledExport",
  "Mutation.deleteSessionRecording.id": "SessionRecording",
  "Mutation.deleteSessionRecordings.ids": "SessionRecording",
  "Mutation.importCohortMembers.id": "Cohort",
  "Mutation.markSessionRecording.id": "SessionRecording",
  "Mutation.markSessionRecordings.ids": "SessionRecording",
  "Mutation.removeCohortMembers.id": "Cohort",
  "Mutation.revokePersonalApiKey.id": "PersonalApiKey",
  "Mutation.revokeProjectSecretKey.id": "ProjectSecretKey",
  "Mutation.rollPersonalApiKey.id": "PersonalApiKey",
  "Mutation.runScheduledExport.id": "ScheduledExport",
  "Mutation.splitPerson.id": "Person",
  "Mutation.updateAction.id": "Action",
  "Mutation.updateCohort.id": "Cohort",
  "Mutation.updateDashboard.shortId": "Dashboard",
  "Mutation.updateEventDefinition.id": "EventDefinition",
  "Mutation.updateFeatureFlag.id": "FeatureFlag",
  "Mutation.updateInsight.shortId": "Insight",
  "Mutation.updateOrganization.id": "Organization",
  "Mutation.updatePerson.id": "Person",
  "Mutation.updatePluginConfig.id": "PluginConfig",
  "Mutation.updatePropertyDefinition.id": "PropertyDefinition",
  "Mutation.updateScheduledExport.id": "ScheduledExport",
  "Subscription.dashboardResults.shortId": "Dashboard",
  "Subscription.queryStatus.id": "QueryRun",
  "Subscription.queryStatuses.ids": "QueryRun",
}

const COHORT = ["cohort", "Cohort", "id"] as const
const PLAYLIST = ["sessionRecordingPlaylist", "SessionRecordingPlaylist", "shortId"] as const
const MEMBERS: PayloadRule = { result: ["memberCount", "How many members the cohort has."], record: COHORT }

const PAYLOADS: GraphRules["payloads"] = {
  acceptInvitation: { result: ["accepted", "What was joined."] },
  addCohortMembers: MEMBERS,
  approveFeatureFlagChange: { result: ["changeRequest", "The request, decided."] },
  appendPluginLogs: {
    result: ["entryCount", "How many entries were written."],
    record: ["pluginConfig", "PluginConfig", "pluginConfigId"],
  },
  attachSessionRecording: { record: PLAYLIST },
  attachSessionRecordings: { result: ["attachedCount", "How many were not attached before."], record: PLAYLIST },
  capture: { result: ["captured", "What became of the event."] },
  captureBatch: { result: ["captured", "What became of the events."] },
  changePassword: { result: ["endedSessionCount", "How many other browsers were signed out."] },
  confirmTotp: { result: ["recoveryCodes", "Codes that stand in for one of the authenticator, each once."] },
  copyFeatureFlag: { result: ["copies", "What came of it in each project."] },
  createPasswordResetLink: { result: ["link", "The link, which is shown this once."] },
  createDashboardShareLink: { result: ["shareLink", "The link with its token."] },
  createPersonalApiKey: { result: ["personalApiKey", "The key with its value."] },
  createProjectSecretKey: { result: ["projectSecretKey", "The key with its value."] },
  createFeatureFlagScheduledChange: { result: ["scheduledChange", "The plan."] },
  deleteFeatureFlagScheduledChange: { echo: ["deletedId", "Number of the plan.", "id"] },
  deleteDeadLetters: { result: ["deletedIds", "Numbers of the letters that are gone."] },
  deleteEvents: { result: ["outcome", "How many there are, and the deletion."] },
  deleteOrganization: { echo: ["deletedId", "What named the organization.", "id"] },
  deletePerson: { echo: ["deletedId", "What named the person.", "id"] },
  deletePersons: { result: ["deletedCount", "How many there were."] },
  deleteProject: { echo: ["deletedId", "What named the project.", "projectId"] },
  deleteScheduledExport: { echo: ["deletedId", "What named the export.", "id"] },
  deleteSessionRecording: { echo: ["deletedId", "Id of the session.", "id"] },
  deleteSessionRecordings: { result: ["deletedCount", "How many there were."] },
  detachSessionRecording: { record: PLAYLIST },
  detachSessionRecordings: { result: ["detachedCount", "How many were attached."], record: PLAYLIST },
  exportQuery: { result: ["export", "Where it is fetched."] },
  importCohortMembers: { result: ["imported", "What came of it."], record: COHORT },
  inviteUser: { result: ["invited", "The user and what they join with."] },
  markSessionRecordings: { result: ["markedCount", "How many of them there are."] },
  rejectFeatureFlagChange: { result: ["changeRequest", "The request, decided."] },
  removeCohortMembers: MEMBERS,
  removeOrganizationMember: { echo: ["removedUserNumber", "Number of the user.", "userId"] },
  removeTotp: { result: ["secondFactor", "As it is now."] },
  retryDeadLetters: { result: ["retriedIds", "Numbers of the letters that wait now."] },
  revokeDashboardShareLink: { echo: ["revokedId", "Id of the link.", "id"] },
  revokeProjectKey: { echo: ["revokedId", "Id of the key.", "id"] },
  revokeSession: { echo: ["revokedId", "Id of the session.", "id"] },
  revokeProjectSecretKey: { echo: ["revokedId", "Id of the key.", "id"] },
  rollPersonalApiKey: { result: ["personalApiKey", "The key with its value."] },
  splitPerson: { result: ["persons", "The new persons."], record: ["person", "Person", "id"] },
  startTotp: { result: ["enrolment", "What the authenticator is told."] },
  updateMe: { result: ["me", "The caller."] },
  updateOrganizationMember: { result: ["role", "The role as it is now."] },
  updatePerson: { record: ["person", "Person", "id"] },
}

/** How the graph is made of the operations (decision 0068). */
export const GRAPH_RULES: GraphRules = {
  records: RECORDS,
  sameRecords: {
    IssuedPersonalApiKey: "PersonalApiKey",
    IssuedProjectSecretKey: "ProjectSecretKey",
    LivePluginLogEntry: "PluginLogEntry",
  },
  // What is shown of a colleague is read whole, so that one user is one record wherever they stand.
  replacedTypes: { BasicUser: "User" },
  recordArguments: RECORD_ARGUMENTS,
  renamedArguments: { shortId: "id" },
  // REST gives and takes whole documents; clients have `query` and `startQuery`, which have types.
  // The others are what edges ask for records that lead to them.
  hiddenOperations: [
    "Mutation.runQuery",
    "Query.cohortPersons",
    "Query.cohortUses",
    "Query.dashboardShareLinks",
    "Query.featureFlagAudience",
    "Query.featureFlagScheduledChanges",
    "Query.groupPersons",
    "Query.organizationInvitations",
    "Query.organizationMembers",
    "Query.personCohorts",
    "Query.personFlags",
    "Query.personGroups",
    "Query.personsOnline",
    "Query.pluginLogEntry",
    "Query.propertyDefinition",
    "Query.scheduledExportRuns",
    "Query.sessionRecordingPlaylistByNumber",
    "Query.sessionRecordingPlaylistMatches",
  ],
  // REST pages by the one, clients have cursors; the other is a document of REST, clients have filter and order.
  hiddenArguments: ["offset", "recordingsQuery"],
  typedPlaces: TYPED_PLACES,
  edges: EDGES,
  payloads: PAYLOADS,
}
