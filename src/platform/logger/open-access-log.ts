import { closeSync, openSync } from "node:fs"
import { destination } from "pino"
import type { Logger } from "./logger.js"
import { createOutageLog } from "./outage-log.js"

/** One answered request. Neither keys nor what a user wrote are in it: the route is a row of a table, not a path. */
export interface AccessLogEntry {
  /** When the answer ended, in ISO 8601. */
  readonly time: string
  readonly method: string
  readonly route: string
  /** Null for a client that left before its answer began. */
  readonly status: number | null
  /** From the head of the request to the end of the answer. */
  readonly ms: number
  /** Of the answer, its head included. */
  readonly bytes: number
  /** Null where the request was about none, or none was found. */
  readonly project: number | null
}

/** A log with a line of JSON for each request. */
export interface AccessLog {
  write(entry: AccessLogEntry): void
  /** Goes on in a new file of the same name, after the present one was moved away. Does nothing on stdout. */
  reopen(): void
  /** Resolves when what waits is written, or cannot be. */
  close(): Promise<void>
}

const STDOUT_DESCRIPTOR = 1
/** Lines are written together, in pieces of this many characters, and those that wait once a second. */
const MIN_CHARACTERS = 8_192
const WRITE_AT_LEAST_EVERY_MS = 1_000
/** What waits for a disk that takes nothing; further lines are lost. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024
/** Of a new file: requests are nobody's business but the operator's. */
const FILE_MODE = 0o640

/**
 * Opens the log.
 * @param path a file that is gone on with; null for stdout.
 * @throws Error of the system when the file cannot be opened.
 */
export function openAccessLog(path: string | null, logger: Logger): AccessLog {
  if (path !== null) closeSync(openSync(path, "a", FILE_MODE))
  const file = destination({
    dest: path ?? STDOUT_DESCRIPTOR,
    sync: false,
    minLength: MIN_CHARACTERS,
    maxLength: MAX_WAITING_CHARACTERS,
    periodicFlush: WRITE_AT_LEAST_EVERY_MS,
    mode: FILE_MODE,
  })
  const outage = createOutageLog(logger, "warn", "the access log cannot be written", "the access log is written again")
  // Without a listener a full disk would end the process.
  file.on("error", outage.failed)
  file.on("write", outage.worked)
  return {
    write: (entry) => void file.write(`${JSON.stringify(entry)}\n`),
    reopen: () => {
      if (path === null) return
      try {
        closeSync(openSync(path, "a", FILE_MODE))
      } catch (err) {
        logger.warn("no new access log can be opened, and the one before goes on", { err })
        return
      }
      file.flush()
      file.reopen()
    },
    // Writing at once would try for ever on a full disk, and nothing could stop the process.
    close: () =>
      new Promise((resolve) => {
        file.once("close", resolve)
        file.once("error", () => file.destroy())
        file.end()
      }),
  }
}
