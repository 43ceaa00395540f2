import { mkdirSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { openDataDirectory } from "../platform/embedded/data-directory.js"
import type { Logger } from "../platform/logger/logger.js"
import type { Environment } from "./environment.js"
import { requireAddress } from "./listen.js"
import type { MadeUpCredentials } from "./serve.js"
import { startServers } from "./start-servers.js"

/** A server that answers. */
export interface RunningApp {
  /** Address that clients see. */
  readonly url: string
  /** Keys made up by this very start, to be shown once; null otherwise. */
  readonly newCredentials: MadeUpCredentials | null
  /** Where whoever runs the server makes the first account to sign in with; null once there is one. */
  readonly welcomeUrl: string | null
  /** Makes `/_readyz` say 503 and answers end their connections; everything is still served. */
  announceStop(): void
  /** Goes on in new files of the same names, after the present ones were moved away. */
  reopenLogs(): void
  /** Answers what is in flight, stores what was acknowledged, stops children. Never rejects. */
  stop(): Promise<void>
}

/**
 * Starts everything in order: data directory, a look at the port, embedded servers, and what `serve` does over them. What
 * was started is stopped in reverse order, also when a later step fails.
 * @throws StartupError when the operator has to change something.
 */
export async function startApp(environment: Environment, logger: Logger): Promise<RunningApp> {
  const started = new AsyncDisposableStack()
  try {
    const dataDirectory = openDirectory(environment, started)
    await requireAddress(environment)
    const servers = startServers({ environment, dataDirectory, started, logger })
    const [urls, { serve }] = await Promise.all([servers, loadServe()])
    const served = await serve({ environment, dataDirectory, urls, started, logger })
    return { ...served, stop: () => started.disposeAsync() }
  } catch (failure) {
    await started.disposeAsync()
    throw failure
  }
}

/** Loads the rest of the program, half a second of work, while the embedded servers start; they are spawned by then. */
async function loadServe(): Promise<typeof import("./serve.js")> {
  await setImmediate()
  return import("./serve.js")
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
