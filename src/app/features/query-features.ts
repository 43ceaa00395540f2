import type { CaptureService } from "../../features/capture/index.js"
import { removeDeletedMembers } from "../../features/cohorts/index.js"
import { forgetHashedIds, forgetHashKeys } from "../../features/flags/index.js"
import {
  createLiveEvents,
  forgetDeadLetters,
  forgetWarnedPersons,
  IngestionWatermarkReader,
} from "../../features/ingestion/index.js"
import { createConditionForgetter, createPersonsFeature } from "../../features/persons/index.js"
import { readPathCleaning } from "../../features/projects/index.js"
import {
  createHogqlScopes,
  createPostgresQuerySchemaReader,
  createQueriesFeature,
  forgetAnswers,
  forgetRuns,
  listExecutingRuns,
  toQueryFault,
} from "../../features/queries/index.js"
import { createRecordingsFeature } from "../../features/recordings/index.js"
import { createSessionsFeature } from "../../features/sessions/index.js"
import { personFilterRules } from "../../flag-engine/index.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { AccountFeatures } from "./account-features.js"
import { createPersonEvents } from "./person-events.js"
import { createPersonQueries } from "./person-queries.js"
import { createRecordingLister } from "./recording-lister.js"
import type { Wiring } from "./wiring.js"

/** Where conditions of users are kept, and what the audit log says of them. */
const CONDITION_COLUMNS = [
  { table: "feature_flag", column: "filters" },
  { table: "cohort", column: "filters" },
  { table: "session_recording_playlist", column: "filters" },
  { table: "insight", column: "query" },
  { table: "dashboard", column: "filters" },
  { table: "activity_log", column: "changes" },
  { table: "flag_scheduled_change", column: "request" },
  { table: "flag_scheduled_change", column: "changes" },
  { table: "flag_change_request", column: "request" },
  { table: "flag_change_request", column: "changes" },
] as const

/** What has been stored and is asked about: queries, live events, persons, sessions and recordings. */
export function createQueryFeatures(wiring: Wiring, { access, directory }: AccountFeatures, capture: CaptureService) {
  const { environment, stores, limits, crashPoints, shared } = wiring
  const { database, pool, clock, ids } = shared
  const projectSettings = {
    settings: async (projectId: ProjectId) => {
      const { timezone, weekStartDay, settings } = await directory.get(projectId)
      return { timezone, weekStartDay, settings, pathCleaning: readPathCleaning(settings) }
    },
  }
  const sessions = createSessionsFeature(shared)
  const readScope = createHogqlScopes(
    createPostgresQuerySchemaReader(database, clock, sessions.rollup.isFilled),
    projectSettings,
    clock,
  )
  const liveEvents = createLiveEvents({ ...shared, readScope, toQueryFault })
  const queries = createQueriesFeature({
    ...shared,
    cache: stores.cache,
    isCacheShared: stores.redis !== null,
    projects: projectSettings,
    // Recordings need persons, and those need queries.
    recordings: { list: (...asked) => recordingLister.list(...asked) },
    hasAllSessions: sessions.rollup.isFilled,
    watermark: new IngestionWatermarkReader(pool, clock),
    storedEvents: liveEvents.storedBatches,
    newId: () => ids.uuidV4(),
    maxConcurrentRuns: environment.queryWorkers,
    blockingLimits: {
      seconds: environment.queryTimeLimitSeconds,
      atOnce: environment.queriesAtOnce,
      waiting: environment.queriesWaiting,
    },
  })
  const answers = { forget: forgetAnswers, listExecutingRuns, forgetRuns, delete: queries.deleteAnswers }
  const persons = createPersonsFeature({
    ...shared,
    events: createPersonEvents({ capture, projects: directory, clock }),
    runHogql: createPersonQueries(queries.service),
    exports: limits.exports,
    deletionListeners: [removeDeletedMembers, forgetHashKeys],
    traceListeners: [
      forgetHashedIds,
      forgetWarnedPersons,
      forgetDeadLetters,
      createConditionForgetter(CONDITION_COLUMNS),
    ],
    answers,
    filterRules: personFilterRules,
    readTimeZone: async (projectId) => (await directory.get(projectId)).timezone,
    deleteRecordings: (...which) => recordings.service.deleteOfDistinctIds(...which),
    sessions: sessions.rollup,
    crashPoints,
  })
  const recordings = createRecordingsFeature({
    ...shared,
    userLoader: access.userLoader,
    projects: directory,
    persons: persons.directory,
    personLoaders: persons.loaders,
    readScope,
    storedBatches: liveEvents.storedBatches,
    toQueryFault,
  })
  const recordingLister = createRecordingLister(recordings.service, persons.directory)
  return { sessions, liveEvents, queries, answers, persons, recordings }
}
