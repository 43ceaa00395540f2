import { setTimeout as sleep } from "node:timers/promises"
import { StartupError } from "../platform/embedded/startup-error.js"
import { createLogger, type Logger } from "../platform/logger/logger.js"
import { toAnnouncement } from "./announcement.js"
import { type Environment, EnvironmentError, readEnvironment } from "./environment.js"
import { type RunningApp, startApp } from "./start-app.js"

/**
 * In-flight work that has not ended by then is cut; exit stays under ten seconds (`docs/contract/faults.md#shutdown`).
 */
const STOP_WITHIN_MS = 8_000

/**
 * The life of the process: reads the environment, starts the app, prints one line with the URL, stops in good order on
 * SIGTERM or SIGINT, after a delay where one is set. Whatever keeps it from starting is one line on stderr and exit code 1.
 */
export async function runProcess(): Promise<void> {
  // Installed before anything starts: a signal during the start must not leave a child behind.
  const asked = waitForSignal()
  let reopenLogs = (): void => undefined
  process.on("SIGHUP", () => reopenLogs())
  const environment = environmentOrExit()
  if (environment === null) return
  const logger = createLogger({ level: environment.logLevel })
  reportDefects(logger)
  const starting = startApp(environment, logger)
  try {
    const app = await starting
    reopenLogs = () => app.reopenLogs()
    process.stdout.write(toAnnouncement(app, process.stdout.isTTY))
    const signal = await asked
    logger.info("stopping", { signal, afterMs: environment.shutdownDelayMs })
    await serveOn(app, environment.shutdownDelayMs)
    await stopWithin(app, logger)
  } catch (failure) {
    reportFailure(failure, logger)
    process.exitCode = 1
  }
  // Timers and sockets of libraries must not keep a stopped server alive.
  process.exit()
}

function environmentOrExit(): Environment | null {
  try {
    return readEnvironment()
  } catch (failure) {
    if (!(failure instanceof EnvironmentError)) throw failure
    process.stderr.write(`${failure.message}\n`)
    process.exitCode = 1
    return null
  }
}

const waitForSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve(signal))
  })

/** Whoever asks once more has no time for the delay. */
async function serveOn(app: RunningApp, delayMs: number): Promise<void> {
  if (delayMs === 0) return
  const hurried = waitForSignal()
  app.announceStop()
  await Promise.race([sleep(delayMs), hurried])
}

async function stopWithin(app: RunningApp, logger: Logger): Promise<void> {
  const late = setTimeout(() => {
    logger.error("stopping took too long; what is left is cut")
    process.exit(1)
  }, STOP_WITHIN_MS)
  await app.stop()
  clearTimeout(late)
}

function reportFailure(failure: unknown, logger: Logger): void {
  if (failure instanceof StartupError) {
    process.stderr.write(`${failure.message}\n`)
    return
  }
  logger.error("Waymark could not start", { err: failure })
  process.stderr.write(`Waymark could not start: ${failure instanceof Error ? failure.message : String(failure)}\n`)
}

/** A promise nobody waits for must not end the server; it is a defect all the same. */
function reportDefects(logger: Logger): void {
  process.on("unhandledRejection", (failure) => logger.error("unhandled rejection", { err: failure }))
}
