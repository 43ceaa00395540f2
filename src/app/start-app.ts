import { mkdirSync } from "node:fs"
import { hasRuleSnapshots } from "../features/flags/index.js"
import { bootstrap, createCredentialsStore } from "../features/projects/index.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { openDataDirectory } from "../platform/embedded/data-directory.js"
import { createIds } from "../platform/ids/ids.js"
import type { Logger } from "../platform/logger/logger.js"
import { createFeatures, type Features } from "./create-features.js"
import { createGateway } from "./create-gateway.js"
import type { Environment } from "./environment.js"
import { listen, requireAddress } from "./listen.js"
import { openStores } from "./open-stores.js"
import { prepareStores } from "./prepare-stores.js"

/** A server that answers. */
export interface RunningApp {
  /** Address that clients see. */
  readonly url: string
  readonly explorerUrl: string
  /** Keys made up by this very start, to be shown once; null otherwise. */
  readonly newCredentials: {
    readonly projectApiKey: string
    readonly personalApiKey: string
    readonly file: string
  } | null
  /** Answers what is in flight, stores what was acknowledged, stops children. Never rejects. */
  stop(): Promise<void>
}

/** Requests in flight may take this long to end once the app stops. */
const GRACE_MS = 3_000

/**
 * Starts everything in order: data directory, a look at the port, stores, migrations, first keys, features, background
 * roles, HTTP. What was started is stopped in reverse order, also when a later step fails. Where PostgreSQL is away and
 * snapshots of flag rules are at hand, migrations, first keys and background roles wait for it and everything else
 * starts.
 * @throws StartupError when the operator has to change something.
 */
export async function startApp(environment: Environment, logger: Logger): Promise<RunningApp> {
  const started = new AsyncDisposableStack()
  try {
    return await startInOrder(environment, logger, started)
  } catch (failure) {
    await started.disposeAsync()
    throw failure
  }
}

async function startInOrder(
  environment: Environment,
  logger: Logger,
  started: AsyncDisposableStack,
): Promise<RunningApp> {
  const ids = createIds()
  const dataDirectory = openDirectory(environment, started)
  await requireAddress(environment)
  const stores = await openStores(environment, dataDirectory, started, logger)
  const credentials = createCredentialsStore(dataDirectory)
  const keys = {
    projectApiKey: environment.bootstrapProjectApiKey,
    personalApiKey: environment.bootstrapPersonalApiKey,
  }
  const features = createFeatures({ environment, stores, dataDirectory, ids, logger })
  const roles = new AsyncDisposableStack()
  const preparation = await prepareStores({
    prepare: async () => {
      await stores.migrate()
      return bootstrap({ records: stores.database.records, clock: systemClock, ids, credentials, logger }, keys)
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
  const madeUp = preparation.outcome?.madeUp ?? null
  const gateway = await createGateway({ environment, stores, features, isPrepared: preparation.isDone, ids, logger })
  started.defer(() => gateway.close(GRACE_MS))
  const url = await listen(environment, gateway)
  return {
    url,
    explorerUrl: `${url}/graphql`,
    newCredentials: madeUp && { ...madeUp, file: madeUp.path ?? "nowhere else" },
    stop: () => started.disposeAsync(),
  }
}

/** The lock is for embedded stores; on servers of their own several processes may share a directory. */
function openDirectory(environment: Environment, started: AsyncDisposableStack): string {
  const isEmbedding = environment.databaseUrl === null || environment.clickHouseUrl === null
  if (!isEmbedding) {
    mkdirSync(environment.dataDirectory, { recursive: true, mode: 0o700 })
    return environment.dataDirectory
  }
  const directory = openDataDirectory(environment.dataDirectory)
  started.defer(() => directory.release())
  return directory.path
}

async function startRoles({ roles }: Environment, features: Features, started: AsyncDisposableStack): Promise<void> {
  if (roles.has("ingest")) {
    features.ingestionLoop.start()
    started.defer(() => features.ingestionLoop.stop())
    features.cohortCopies.start()
    started.defer(() => features.cohortCopies.stop())
  }
  if (roles.has("query")) {
    await features.queryWorker.start()
    started.defer(() => features.queryWorker.stop())
    features.playlistMatchCounter.start()
    started.defer(() => features.playlistMatchCounter.stop())
  }
}
