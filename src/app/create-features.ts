import { createAgeingFeature } from "../features/ageing/index.js"
import { moveCohortMembers } from "../features/cohorts/index.js"
import { createDashboardsFeature } from "../features/dashboards/index.js"
import { createDefinitionsFeature } from "../features/definitions/index.js"
import { createIngestionFeature } from "../features/ingestion/index.js"
import { createInsightsFeature } from "../features/insights/index.js"
import { MaxMindGeoIp } from "../features/persons/index.js"
import { createPlaylistsFeature } from "../features/playlists/index.js"
import { createPluginsFeature } from "../features/plugins/index.js"
import { createScheduledExportsFeature } from "../features/scheduled-exports/index.js"
import { createServerHealthFeature } from "../features/server-health/index.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { createCrashPoints } from "../platform/crash-points/create-crash-points.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Ids } from "../platform/ids/ids.js"
import type { Logger } from "../platform/logger/logger.js"
import type { Environment } from "./environment.js"
import { createAccountFeatures } from "./features/account-features.js"
import { createCapture } from "./features/capture.js"
import { createFlagFeatures } from "./features/flag-features.js"
import { createQueryFeatures } from "./features/query-features.js"
import type { Wiring } from "./features/wiring.js"
import { openPayloadCipher } from "./open-payload-cipher.js"
import { listStoreProbes } from "./store-probes.js"

export type Features = ReturnType<typeof createFeatures>

/** What the process has opened before its features. */
interface FeaturesDependencies extends Pick<Wiring, "environment" | "stores" | "dataDirectory" | "limits"> {
  readonly ids: Ids
  readonly logger: Logger
}

const SHORT_ID_LENGTH = 8

/** Wires all features over the stores. Nothing runs before `start`; `stop` writes out what was acknowledged. */
export function createFeatures({ environment, stores, dataDirectory, limits, ids, logger }: FeaturesDependencies) {
  const { database, clickHouse, pubSub } = stores
  const newShortId = () => ids.shortId(SHORT_ID_LENGTH)
  const shared = { database, pool: database.pool, clickHouse, pubSub, clock: systemClock, ids, newShortId, logger }
  const crashPoints = environment.plannedCrash === null ? null : createCrashPoints(environment.plannedCrash)
  const geoIp = openGeoIp(environment, logger)
  const wiring: Wiring = { environment, stores, dataDirectory, limits, geoIp, crashPoints, shared }

  const accounts = createAccountFeatures(wiring)
  const { access, directory, signIn, projects } = accounts
  const { userLoader } = access
  const { capture, signal, pendingChanges, sharedChanges, diskSpace } = createCapture(wiring, directory)
  const { sessions, liveEvents, queries, answers, persons, recordings } = createQueryFeatures(
    wiring,
    accounts,
    capture.service,
  )
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
  const { cohortCopies, cohorts, actions, flags } = createFlagFeatures(wiring, accounts, {
    pendingChanges,
    listHolding: persons.listHolding,
  })
  const playlists = createPlaylistsFeature({
    ...shared,
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
  const scheduledExports = createScheduledExportsFeature({
    ...shared,
    batches: liveEvents.storedBatches,
    cipher: openPayloadCipher(environment, dataDirectory),
    exportDirectory: environment.exportDirectory,
    allowsPrivateAddresses: environment.exportsToPrivateAddresses,
    spoolFolder: dataDirectory,
    userLoader,
  })
  const definitions = createDefinitionsFeature({ ...shared, userLoader })
  const saved = { ...shared, queries: queries.service, userLoader }
  const insights = createInsightsFeature(saved)
  const dashboards = createDashboardsFeature({ ...saved, insights: insights.service })

  return {
    access,
    ageingWork: ageing.work,
    seedProject: accounts.seedProject,
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
    scheduledExports: scheduledExports.work,
    countFailingExports: scheduledExports.countFailing,
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
      ...scheduledExports.resolvers,
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

function openGeoIp({ geoIpDatabase: path }: Environment, logger: Logger) {
  if (path === null) return null
  try {
    return new MaxMindGeoIp(path, logger)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`GEOIP_DB ${path} is no GeoIP file that can be read (${reason}).`, { cause })
  }
}
