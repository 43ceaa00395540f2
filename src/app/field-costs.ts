/** Reads few records of PostgreSQL or memory. */
const RECORDS = 1
/** Evaluates all flags of a project, or reads the rows that the rules in memory are made of. */
const DECISION = 10
/** Makes ClickHouse or a search over many rows of PostgreSQL work. */
const ANALYTICS = 50
/** Holds up to 10,000 rows in memory: one document has room for one such field, an alias is another. */
const EXPORT = 5_000

/**
 * Points of what each query field reads itself, whatever is selected below it (docs/contract/faults.md#prices-of-fields).
 * Every field of `Query` is stated; items of a page are counted on top by the schema.
 */
export const FIELD_COSTS: Readonly<Record<string, number>> = {
  "Mutation.runQuery": ANALYTICS,
  "Query.accountActivityLog": RECORDS,
  "Query.activityLog": RECORDS,
  "Query.cohort": RECORDS,
  "Query.cohorts": RECORDS,
  "Query.conditionReach": ANALYTICS,
  "Query.currentPersonalApiKey": RECORDS,
  "Query.deadLetterText": RECORDS,
  "Query.deadLetters": RECORDS,
  "Query.dependentFeatureFlags": RECORDS,
  "Query.draftSql": ANALYTICS,
  "Query.eventActors": ANALYTICS,
  "Query.explainFlag": DECISION,
  "Query.exportEventActors": EXPORT,
  "Query.exportPersons": EXPORT,
  "Query.featureFlag": RECORDS,
  "Query.featureFlagActivity": RECORDS,
  "Query.featureFlags": RECORDS,
  "Query.flagDecision": DECISION,
  "Query.flagDefinitions": DECISION,
  "Query.flagEvaluations": DECISION,
  "Query.flagRequestUsage": RECORDS,
  "Query.groupTypes": RECORDS,
  "Query.groups": ANALYTICS,
  "Query.ingestionLag": RECORDS,
  "Query.ingestionWarnings": ANALYTICS,
  "Query.me": RECORDS,
  "Query.myFlags": DECISION,
  "Query.organization": RECORDS,
  "Query.organizations": RECORDS,
  "Query.person": RECORDS,
  "Query.personPropertyValues": ANALYTICS,
  "Query.personalApiKeys": RECORDS,
  "Query.persons": ANALYTICS,
  "Query.pluginConfigs": RECORDS,
  "Query.pluginLogs": ANALYTICS,
  "Query.project": RECORDS,
  "Query.projectSecretKeys": RECORDS,
  "Query.projects": RECORDS,
  "Query.queryStatus": RECORDS,
  "Query.remoteConfigPayload": RECORDS,
  "Query.sessionRecording": ANALYTICS,
  "Query.sessionRecordingPlaylist": RECORDS,
  "Query.sessionRecordingPlaylistActivity": RECORDS,
  "Query.sessionRecordingPlaylistRecordings": ANALYTICS,
  "Query.sessionRecordingPlaylists": RECORDS,
  "Query.sessionRecordingSnapshotSources": ANALYTICS,
  "Query.sessionRecordingSnapshots": ANALYTICS,
  "Query.sessionRecordings": ANALYTICS,
  "Query.staleFeatureFlags": ANALYTICS,
  "Query.users": RECORDS,
}
