import { createAccessFeature } from "../features/access/index.js"
import { createActionsFeature } from "../features/actions/index.js"
import { createAgeingFeature } from "../features/ageing/index.js"
import {
  ANONYMIZE_SETTING_CHECKS,
  CAPTURE_SETTING_CHECKS,
  createCaptureFeature,
  type ProjectKeyDirectory,
} from "../features/capture/index.js"
import {
  createCohortMemberCopies,
  createCohortsFeature,
  moveCohortMembers,
  removeDeletedMembers,
} from "../features/cohorts/index.js"
import { COOKIELESS_SETTING_CHECKS } from "../features/cookieless/index.js"
import { createDashboardsFeature, createFirstDashboard } from "../features/dashboards/index.js"
import { createDefinitionsFeature } from "../features/definitions/index.js"
import {
  checkCohortLeaf,
  createFlagsFeature,
  createPendingChanges,
  createSharedChanges,
  FLAG_SETTING_CHECKS,
  findUndecidable,
  forgetHashedIds,
  forgetHashKeys,
} from "../features/flags/index.js"
import {
  AppendSignal,
  createIngestionFeature,
  createLiveEvents,
  forgetDeadLetters,
  forgetWarnedPersons,
  IngestionWatermarkReader,
} from "../features/ingestion/index.js"
import { createInsightsFeature } from "../features/insights/index.js"
import { createConditionForgetter, createPersonsFeature, MaxMindGeoIp } from "../features/persons/index.js"
import { createPlaylistsFeature } from "../features/playlists/index.js"
import { createPluginsFeature, PLUGIN_SETTING_CHECKS } from "../features/plugins/index.js"
import {
  createProjectDirectory,
  createProjectsFeature,
  createRefusedKeys,
  type ProjectDirectory,
  readPathCleaning,
} from "../features/projects/index.js"
import {
  createHogqlScopes,
  createPostgresQuerySchemaReader,
  createQueriesFeature,
  forgetAnswers,
  forgetRuns,
  listExecutingRuns,
  toQueryFault,
} from "../features/queries/index.js"
import { createRecordingsFeature, RECORDING_SETTING_CHECKS } from "../features/recordings/index.js"
import { createServerHealthFeature } from "../features/server-health/index.js"
import { createSessionsFeature } from "../features/sessions/index.js"
import { createSignInFeature } from "../features/sign-in/index.js"
import { personFilterRules } from "../flag-engine/index.js"
import type { ProjectId } from "../kernel/ids.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { createCrashPoints } from "../platform/crash-points/create-crash-points.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Ids } from "../platform/ids/ids.js"
import type { Logger } from "../platform/logger/logger.js"
import type { Limits } from "./create-limits.js"
import type { Environment } from "./environment.js"
import { createPlaceFinder } from "./find-place.js"
import { toLogLimits, watchOwnDisk } from "./log-limits.js"
import { toOidcSettings } from "./oidc-settings.js"
import { openPayloadCipher } from "./open-payload-cipher.js"
import type { Stores } from "./open-stores.js"
import { createPersonEvents } from "./person-events.js"
import { createPersonQueries } from "./person-queries.js"
import { createRecordingLister } from "./recording-lister.js"
import { listStoreProbes } from "./store-probes.js"

export type Features = ReturnType<typeof createFeatures>

const SHORT_ID_LENGTH = 8
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

/** Wires all features over the stores. Nothing runs before `start`; `stop` writes out what was acknowledged. */
export function createFeatures(
  environment: Environment,
  stores: Stores,
  dataDirectory: string,
  ids: Ids,
  limits: Pick<Limits, "projectBytes" | "wrongProjectKeys" | "exports">,
  logger: Logger,
) {
  const { database, clickHouse, pubSub, cache, redis } = stores
  const { pool } = database
  const crashPoints = environment.plannedCrash === null ? null : createCrashPoints(environment.plannedCrash)
  const diskSpace = watchOwnDisk(environment, dataDirectory, logger)
  const shared = { database, pool, clickHouse, pubSub, clock: systemClock, ids, logger }

  const refusedKeys = createRefusedKeys(systemClock)
  const directory = createProjectDirectory(shared, limits.wrongProjectKeys, refusedKeys)
  const access = createAccessFeature({ ...shared, projects: directory })
  const { userLoader } = access
  const signIn = createSignInFeature({
    ...shared,
    counters: stores.counters,
    oidc: toOidcSettings(environment),
    access,
  })
  const newShortId = () => ids.shortId(SHORT_ID_LENGTH)
  const furnishProject = createFirstDashboard(newShortId)
  const projects = createProjectsFeature({
    ...shared,
    refusedKeys,
    furnish: furnishProject,
    directory,
    access,
    settingChecks: {
      ...ANONYMIZE_SETTING_CHECKS,
      ...CAPTURE_SETTING_CHECKS,
      ...COOKIELESS_SETTING_CHECKS,
      ...FLAG_SETTING_CHECKS,
      ...PLUGIN_SETTING_CHECKS,
      ...RECORDING_SETTING_CHECKS,
    },
  })
  const geoIp = openGeoIp(environment.geoIpDatabase, logger)
  const signal = new AppendSignal()
  const pendingChanges = createPendingChanges()
  const sharedChanges =
    redis === null ? null : createSharedChanges({ pending: pendingChanges, pubSub, processId: ids.uuidV4(), logger })
  const changes = sharedChanges ?? pendingChanges
  const capture = createCaptureFeature({
    ...shared,
    appendPool: database.appendPool,
    projectKeys: toProjectKeyDirectory(directory),
    signal,
    findPlace: createPlaceFinder(geoIp, logger),
    logLimits: toLogLimits(environment, diskSpace),
    quota: limits.projectBytes,
    crashPoints,
    onAppended: ({ projectId, receivedAtMs, historicalMigration, events }) => {
      const relevant = changes.findRelevantEvents(projectId, events)
      if (relevant.length === 0) return null
      return (rowId) => changes.record({ projectId, receivedAtMs, historicalMigration, events: relevant }, rowId)
    },
  })
  const projectSettings = {
    settings: async (projectId: ProjectId) => {
      const { timezone, weekStartDay, settings } = await directory.get(projectId)
      return { timezone, weekStartDay, settings, pathCleaning: readPathCleaning(settings) }
    },
  }
  const sessions = createSessionsFeature(shared)
  const readScope = createHogqlScopes(
    createPostgresQuerySchemaReader(database, systemClock, sessions.rollup.isFilled),
    projectSettings,
    systemClock,
  )
  const liveEvents = createLiveEvents({ ...shared, readScope, toQueryFault })
  const queries = createQueriesFeature({
    ...shared,
    cache,
    isCacheShared: redis !== null,
    projects: projectSettings,
    // Recordings need persons, and those need queries.
    recordings: { list: (...asked) => recordingLister.list(...asked) },
    hasAllSessions: sessions.rollup.isFilled,
    watermark: new IngestionWatermarkReader(pool, systemClock),
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
    events: createPersonEvents({ capture: capture.service, projects: directory, clock: systemClock }),
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
    userLoader,
    projects: directory,
    persons: persons.directory,
    personLoaders: persons.loaders,
    readScope,
    storedBatches: liveEvents.storedBatches,
    toQueryFault,
  })
  const recordingLister = createRecordingLister(recordings.service, persons.directory)
  const plugins = createPluginsFeature({ ...shared, hasGeoIpDatabase: geoIp !== null })
  const ageing = createAgeingFeature({
    ...shared,
    directory,
    access,
    userLoader,
    sessions: sessions.rollup,
    answers,
    removeSilentRecordings: recordings.removeSilent,
    removePluginLogsBefore: plugins.removeLogsBefore,
  })
  const ingestion = createIngestionFeature({
    ...shared,
    geoIp,
    geoIpPlugin: plugins.geoIp,
    signal,
    crashPoints,
    deletions: persons.copies,
    mergeListeners: [moveCohortMembers],
    deadLetterDays: environment.deadLetterDays,
    shardCount: environment.shardCount,
    announceStored: liveEvents.announceStored,
    snapshots: recordings.snapshots,
  })
  const cohortCopies = createCohortMemberCopies(shared)
  const cohorts = createCohortsFeature({
    ...shared,
    userLoader,
    checkLeaf: checkCohortLeaf,
    findUndecidable,
    // Actions and flags need cohorts.
    findActions: (...asked) => actions.service.findMany(...asked),
    findFlagsUsing: (...asked) => flags.findFlagsUsing(...asked),
    changed: (projectId) => flags.rulesChanged(projectId),
    membersChanged: cohortCopies.applyNow,
  })
  const actions = createActionsFeature({
    ...shared,
    userLoader,
    findCohortsUsing: cohorts.service.findNamingAction,
  })
  const flags = createFlagsFeature({
    ...shared,
    redis,
    geoIp,
    userLoader,
    dataDirectory,
    auditLog: access.activity,
    counters: stores.counters,
    rateLimits: { key: environment.flagRateLimitPerKey, address: environment.flagRateLimitPerAddress },
    payloadCipher: openPayloadCipher(environment, dataDirectory),
    projects: directory,
    pendingChanges,
    cohorts: cohorts.service,
    listHolding: persons.listHolding,
  })
  const playlists = createPlaylistsFeature({
    ...shared,
    newShortId,
    userLoader,
    auditLog: access.activity,
    recordings: recordings.service,
  })

  const serverHealth = createServerHealthFeature({
    ...shared,
    probes: listStoreProbes(stores),
    readLag: () => ingestion.lag.read(),
    captureRefusal: capture.refusal,
    ownDisk: environment.databaseUrl === null ? dataDirectory : null,
    organizations: access.organizations,
  })
  const definitions = createDefinitionsFeature({ ...shared, userLoader })
  const saved = { ...shared, queries: queries.service, newShortId, userLoader }
  const insights = createInsightsFeature(saved)
  const dashboards = createDashboardsFeature({ ...saved, insights: insights.service })

  return {
    access,
    ageingWork: ageing.work,
    furnishProject,
    signIn,
    cohortCopies,
    playlistMatchCounter: playlists.matchCounter,
    directRoutes: [...capture.routes, ...flags.routes],
    remoteConfig: flags.remoteConfig,
    ruleFreshness: flags.ruleFreshness,
    flagStream: flags.flagStream,
    dueFlagChanges: flags.dueChanges,
    captureRefusal: capture.refusal,
    ingestionLag: ingestion.lag,
    ingestionLoop: ingestion.loop,
    deadLetters: ingestion.deadLetters,
    queries: queries.service,
    queryExports: queries.exports,
    exportTickets: queries.exportTickets,
    queryWorker: queries.worker,
    sessionFill: sessions.fill,
    spareFill: ingestion.spareFill,
    resolvers: [
      ...access.resolvers,
      ...signIn.resolvers,
      ...projects.resolvers,
      capture.resolver,
      ...persons.resolvers,
      ...ingestion.resolvers,
      liveEvents.resolver,
      ...flags.resolvers,
      cohorts.resolver,
      actions.resolver,
      ...recordings.resolvers,
      ...playlists.resolvers,
      ...definitions.resolvers,
      insights.resolver,
      ...dashboards.resolvers,
      plugins.resolver,
      ...queries.resolvers,
      ...ageing.resolvers,
      serverHealth.resolver,
    ],
    async start(): Promise<void> {
      await directory.start()
      await access.start()
      await signIn.start()
      await flags.start()
      await sharedChanges?.start()
      await liveEvents.start()
      await plugins.start()
      ingestion.lagWatch.start()
    },
    async stop(): Promise<void> {
      queries.service.stop()
      await ingestion.lagWatch.stop()
      await capture.close()
      await liveEvents.stop()
      await sharedChanges?.stop()
      await flags.stop()
      await signIn.stop()
      await access.stop()
      await directory.stop()
      // Waits for ClickHouse, which may be away: after everything that does not.
      await plugins.stop()
      geoIp?.close()
      diskSpace?.close()
    },
  }
}

function openGeoIp(path: string | null, logger: Logger) {
  if (path === null) return null
  try {
    return new MaxMindGeoIp(path, logger)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`GEOIP_DB ${path} is no GeoIP file that can be read (${reason}).`, { cause })
  }
}

const toProjectKeyDirectory = (directory: ProjectDirectory): ProjectKeyDirectory => ({
  find: (token, senderIp) => directory.findCached(token) ?? directory.findByKey(token, senderIp),
})
