import { orNotFound } from "../kernel/errors.js"
import type { EdgeRule, GraphRules, Values } from "../transport/graphql/shape/graph-rules.js"

const toId = ({ id }: Values): string => String(id)

const ofProject = (operation: string, description: string): EdgeRule => ({
  operation,
  description,
  takes: { projectId: ({ id }) => String(id) },
})

const ofSame: EdgeRule["takes"] = { projectId: ({ projectId }) => String(projectId) }

/** Fields of records that lead to others. */
export const EDGES: GraphRules["edges"] = {
  "Cohort.usedBy": {
    operation: "cohortUses",
    description: "Flags and cohorts that ask for it; they keep it from being deleted.",
    takes: { ...ofSame, cohortId: ({ id }) => id },
  },
  "Cohort.persons": {
    operation: "cohortPersons",
    description: "Persons whom it holds, in the order of their ids.",
    takes: { ...ofSame, cohortId: ({ id }) => id },
  },
  "Event.person": {
    operation: "person",
    description: "Whose event it is; null when there is no profile.",
    takes: { ...ofSame, distinctId: ({ distinctId }) => distinctId, id: () => null },
  },
  "Event.session": {
    operation: "sessionRecording",
    description: "The recording of its session; null when there is none.",
    takes: { ...ofSame, id: ({ sessionId }) => sessionId ?? "" },
  },
  "Dashboard.activity": {
    operation: "activityLog",
    description: "Who made and changed it and how, newest first.",
    takes: { ...ofSame, scope: () => "Dashboard", itemId: toId },
  },
  "Dashboard.shareLinks": {
    operation: "dashboardShareLinks",
    description: "Live links to it, newest first.",
    takes: { ...ofSame, shortId: ({ shortId }) => shortId },
  },
  "DashboardTile.insight": {
    operation: "insight",
    description: "Its insight; null for a text, and for one that has been deleted.",
    takes: { ...ofSame, shortId: ({ insight }) => orNotFound(insight) },
  },
  "DashboardTile.result": {
    operation: "query",
    description: "What its query comes to under the dashboard's dates and properties; null for a text.",
    takes: { ...ofSame, input: ({ query }) => ({ raw: orNotFound(query) }), id: () => null },
  },
  "FeatureFlag.activity": {
    operation: "featureFlagActivity",
    description: "Who changed it and how, newest first.",
    takes: { ...ofSame, id: toId },
  },
  "FeatureFlag.audience": {
    operation: "featureFlagAudience",
    description: "How many persons or groups each of its release conditions is about, in stored order.",
    takes: { ...ofSame, flagId: ({ id }) => id },
  },
  "FeatureFlag.changeRequests": {
    operation: "featureFlagChangeRequests",
    description: "Changes of it that a second person has to approve, or had to; latest first.",
    takes: { ...ofSame, flagId: toId },
  },
  "FeatureFlagChangeRequest.featureFlag": {
    operation: "featureFlag",
    description: "The flag; null once it is deleted.",
    takes: { ...ofSame, id: ({ flagId }) => String(flagId), key: () => null },
  },
  "FeatureFlag.dependents": {
    operation: "dependentFeatureFlags",
    description: "Active flags that depend on it.",
    takes: { ...ofSame, id: toId },
  },
  "FeatureFlag.scheduledChanges": {
    operation: "featureFlagScheduledChanges",
    description: "Changes of it that are planned, and those that were; latest plan first.",
    takes: { ...ofSame, id: toId },
  },
  "FeatureFlag.explain": {
    operation: "explainFlag",
    description: "Why it has its value for one user.",
    takes: { ...ofSame, flag: toId },
  },
  "Person.cohorts": {
    operation: "personCohorts",
    description: "Cohorts that hold the person now, by number.",
    takes: { ...ofSame, personId: toId },
  },
  "Group.events": {
    operation: "events",
    description: "The latest events in the group, newest first.",
    takes: {
      ...ofSame,
      groupKey: ({ key }) => key,
      groupTypeIndex: ({ typeIndex }) => typeIndex,
      personId: () => null,
      distinctId: () => null,
      sessionId: () => null,
    },
  },
  "Group.persons": {
    operation: "groupPersons",
    description: "Persons with events of the last 90 days in it, those of the latest events first.",
    takes: { ...ofSame, typeIndex: ({ typeIndex }) => typeIndex, key: ({ key }) => key },
  },
  "Person.events": {
    operation: "events",
    description: "The latest events of the person, newest first.",
    takes: {
      ...ofSame,
      personId: toId,
      distinctId: () => null,
      sessionId: () => null,
      groupKey: () => null,
      groupTypeIndex: () => null,
    },
  },
  "Person.flags": {
    operation: "personFlags",
    description: "What every flag is for the person and why, as for a request that sends an id of theirs alone.",
    takes: { ...ofSame, personId: toId },
  },
  "Person.groups": {
    operation: "personGroups",
    description: "Groups of the person's events of the last 90 days, those of the latest events first.",
    takes: { ...ofSame, personId: toId },
  },
  "Person.recordings": {
    operation: "sessionRecordings",
    description: "All recordings of the person that are kept, newest first.",
    takes: { ...ofSame, filter: ({ id }) => ({ personUuid: id, from: new Date(0) }), recordingsQuery: () => null },
  },
  "Insight.activity": {
    operation: "activityLog",
    description: "Who made and changed it and how, newest first.",
    takes: { ...ofSame, scope: () => "Insight", itemId: toId },
  },
  "Insight.dashboards": {
    operation: "dashboards",
    description: "Dashboards that show it.",
    takes: { ...ofSame, filter: ({ shortId }) => ({ insight: shortId }) },
  },
  "Insight.result": {
    operation: "query",
    description: "What its query comes to, by its refresh mode.",
    takes: { ...ofSame, input: ({ query }) => ({ raw: query }), id: () => null },
  },
  "Organization.invitations": {
    operation: "organizationInvitations",
    description: "Those that are good, at most 1000, newest first; for its admins and owners.",
    takes: { id: toId },
  },
  "Organization.members": {
    operation: "organizationMembers",
    description: "Its users with their roles, by number.",
    takes: { id: toId },
  },
  "PluginConfig.logs": {
    operation: "pluginLogs",
    description: "What the plugin said and the project keeps, newest first.",
    takes: { ...ofSame, pluginConfigId: toId },
  },
  "ScheduledExport.activity": {
    operation: "activityLog",
    description: "Who made and changed it and how, newest first.",
    takes: { ...ofSame, scope: () => "ScheduledExport", itemId: toId },
  },
  "ScheduledExport.runs": {
    operation: "scheduledExportRuns",
    description: "Its intervals and what became of them, newest first.",
    takes: { ...ofSame, id: ({ id }) => id },
  },
  "SessionRecording.events": {
    operation: "events",
    description: "The latest events of the session, newest first.",
    takes: {
      ...ofSame,
      sessionId: toId,
      personId: () => null,
      distinctId: () => null,
      groupKey: () => null,
      groupTypeIndex: () => null,
      from: () => null,
      before: () => null,
    },
  },
  "SessionRecording.person": {
    operation: "person",
    description: "Who was recorded; null when there is no profile.",
    takes: { ...ofSame, distinctId: ({ distinctId }) => distinctId, id: () => null },
  },
  "SessionRecording.playlists": {
    operation: "sessionRecordingPlaylists",
    description: "Playlists that it is attached to.",
    takes: { ...ofSame, filter: ({ id }) => ({ sessionRecordingId: id }) },
  },
  "SessionRecording.snapshotSources": {
    operation: "sessionRecordingSnapshotSources",
    description: "Stretches of the recording, in the order of time.",
    takes: { ...ofSame, id: toId },
  },
  "SessionRecordingPlaylist.activity": {
    operation: "sessionRecordingPlaylistActivity",
    description: "Who made and changed it and how, newest first.",
    takes: { ...ofSame, shortId: ({ shortId }) => shortId },
  },
  "SessionRecordingPlaylist.matches": {
    operation: "sessionRecordingPlaylistMatches",
    description: "Recordings that its saved filters find now; none for a collection.",
    takes: { ...ofSame, shortId: ({ shortId }) => shortId },
  },
  "SessionRecordingPlaylist.recordings": {
    operation: "sessionRecordingPlaylistRecordings",
    description: "Recordings attached to it, newest attachment first.",
    takes: { ...ofSame, shortId: ({ shortId }) => shortId },
  },
  "Project.actions": ofProject("actions", "Its actions that are not deleted, newest first."),
  "Project.activityLog": ofProject("activityLog", "What was changed in it, newest first."),
  "Project.cohorts": ofProject("cohorts", "Its cohorts that are not deleted, newest first."),
  "Project.dashboards": ofProject("dashboards", "Its dashboards that are not deleted, newest change first."),
  "Project.deadLetters": ofProject("deadLetters", "Events of it that could not be stored."),
  "Project.eventActors": ofProject("eventActors", "Persons of it by what they did."),
  "Project.eventDeletions": ofProject("eventDeletions", "Deletions of events of it, newest first."),
  "Project.eventDefinitions": ofProject("eventDefinitions", "Names of its events, with what is said of them."),
  "Project.events": ofProject("events", "Its latest events, newest first."),
  "Project.featureFlags": ofProject("featureFlags", "Its feature flags that are not deleted, newest first."),
  "Project.groupTypes": ofProject("groupTypes", "Its group types; there are at most five."),
  "Project.groups": ofProject("groups", "Its groups of one type, newest first."),
  "Project.ingestionWarnings": ofProject("ingestionWarnings", "What was dropped or changed in the last 30 days."),
  "Project.insights": ofProject("insights", "Its insights that are not deleted, newest change first."),
  "Project.organization": {
    operation: "organization",
    description: "Whose it is.",
    takes: { id: ({ organizationId }) => organizationId },
  },
  "Project.persons": ofProject("persons", "Its persons, newest first."),
  "Project.personsOnline": ofProject("personsOnline", "Who sent an event to it in the last minutes."),
  "Project.pluginConfigs": ofProject("pluginConfigs", "Its plugins, Waymark's own among them."),
  "Project.propertyDefinitions": ofProject(
    "propertyDefinitions",
    "Names of properties in it, with what is said of them.",
  ),
  "Project.scheduledExports": ofProject("scheduledExports", "Its exports by schedule, newest first."),
  "Project.secretKeys": ofProject("projectSecretKeys", "Its live secret keys, oldest first."),
  "Project.sessionRecordingPlaylists": ofProject("sessionRecordingPlaylists", "Its playlists that are not deleted."),
  "Project.sessionRecordings": ofProject("sessionRecordings", "Its recordings, by default of the last three days."),
  "Project.staleFeatureFlags": ofProject("staleFeatureFlags", "Its flags that could go."),
}
