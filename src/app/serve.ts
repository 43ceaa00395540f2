import "reflect-metadata"
import { hasRuleSnapshots } from "../features/flags/index.js"
import { bootstrap } from "../features/projects/index.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { createIds } from "../platform/ids/ids.js"
import type { Logger } from "../platform/logger/logger.js"
import { type AccessLog, openAccessLog } from "../platform/logger/open-access-log.js"
import { createMetricsRegistry } from "../platform/metrics/create-metrics-registry.js"
import { createFeatures, type Features } from "./create-features.js"
import { createGateway } from "./create-gateway.js"
import { createLimits } from "./create-limits.js"
import type { Environment } from "./environment.js"
import { listen } from "./listen.js"
import { openStores } from "./open-stores.js"
import { openTraces } from "./open-traces.js"
import { prepareStores } from "./prepare-stores.js"
import type { StoreUrls } from "./start-servers.js"

/** The keys that the first start made up. */
export interface MadeUpCredentials {
  readonly projectApiKey: string
  readonly personalApiKey: string
  /** Where they are kept, in words. */
  readonly file: string
}

export interface ServeOptions {
  readonly environment: Environment
  readonly dataDirectory: string
  readonly urls: StoreUrls
  /** Stops what was started, also when a later step fails. */
  readonly started: AsyncDisposableStack
  readonly logger: Logger
}

/** Requests in flight may take this long to end once the app stops. */
const GRACE_MS = 3_000

/**
 * Starts everything over the stores: migrations, first keys, features, background roles, HTTP. Where PostgreSQL is away
 * and there are snapshots of flag rules, migrations, first keys and background roles wait for it and the rest starts.
 * @throws StartupError when the operator has to change something.
 */
export async function serve({ environment, dataDirectory, urls, started, logger }: ServeOptions) {
  const ids = createIds()
  await openTraces(environment, started, logger)
  const stores = await openStores(urls, environment, started, logger)
  const keys = {
    projectApiKey: environment.bootstrapProjectApiKey,
    personalApiKey: environment.bootstrapPersonalApiKey,
  }
  const metrics = createMetricsRegistry()
  const limits = createLimits(environment, metrics)
  const features = createFeatures({ environment, stores, dataDirectory, limits, ids, logger })
  const roles = new AsyncDisposableStack()
  const preparation = await prepareStores({
    prepare: async () => {
      await stores.migrate()
      const { records } = stores.database
      const { seedProject: seed } = features
      return bootstrap({ records, clock: systemClock, ids, dataDirectory, logger, seed }, keys)
    },
    canServeWithout: environment.databaseUrl !== null && hasRuleSnapshots(dataDirectory),
    whenPrepared: () => startRoles(environment, features, roles),
    logger,
  })
  started.defer(() => features.stop())
  await features.start()
  started.defer(() => roles.disposeAsync())
  started.defer(() => preparation.stop())
  await preparation.start()
  const isPrepared = preparation.isDone
  const accessLog = openRequestedLog(environment.accessLog, logger)
  if (accessLog !== null) started.defer(() => accessLog.close())
  const gateway = await createGateway({
    environment,
    stores,
    features,
    isPrepared,
    metrics,
    limits,
    ids,
    logger,
    accessLog,
  })
  started.defer(() => gateway.close(GRACE_MS))
  const generated = preparation.outcome?.generated ?? null
  const newCredentials: MadeUpCredentials | null = generated && { ...generated, file: generated.path ?? "nowhere else" }
  const url = await listen(environment, gateway)
  const canSignIn = environment.roles.has("web") && preparation.isDone()
  return {
    url,
    newCredentials,
    welcomeUrl: canSignIn ? await features.signIn.makeWelcomeLink(url) : null,
    announceStop: () => gateway.announceClose(),
    reopenLogs: () => accessLog?.reopen(),
  }
}

/** @throws StartupError when its file cannot be written. */
function openRequestedLog(wanted: Environment["accessLog"], logger: Logger): AccessLog | null {
  if (wanted === null) return null
  try {
    return openAccessLog(wanted.path, logger)
  } catch (failure) {
    throw new StartupError(`ACCESS_LOG cannot be written: ${failure instanceof Error ? failure.message : failure}`)
  }
}

async function startRoles({ roles }: Environment, features: Features, started: AsyncDisposableStack): Promise<void> {
  if (roles.has("ingest")) {
    features.ingestionLoop.start()
    started.defer(() => features.ingestionLoop.stop())
    features.cohortCopies.start()
    started.defer(() => features.cohortCopies.stop())
    features.sessionFill.start()
    started.defer(() => features.sessionFill.stop())
    features.spareFill.start()
    started.defer(() => features.spareFill.stop())
    features.ageingWork.start()
    started.defer(() => features.ageingWork.stop())
  }
  if (roles.has("query")) {
    await features.queryWorker.start()
    started.defer(() => features.queryWorker.stop())
    features.dueFlagChanges.start()
    started.defer(() => features.dueFlagChanges.stop())
    features.scheduledExports.start()
    started.defer(() => features.scheduledExports.stop())
    features.playlistMatchCounter.start()
    started.defer(() => features.playlistMatchCounter.stop())
  }
}
