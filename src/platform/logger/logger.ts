import { type DestinationStream, destination as openDestination, type Logger as PinoLogger, pino } from "pino"

/** What varies from line to line. */
export type LogFields = object
/** The least that is logged; `silent` logs nothing. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent"

/** Structured log. Messages are constant sentences; whatever varies goes into `fields`. An `Error` is logged as `err`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds `fields` to every line. */
  child(fields: LogFields): Logger
}

export interface LoggerOptions {
  readonly level: LogLevel
  /** Where JSON lines go; stderr when absent, so that stdout carries only what the operator asked for. */
  readonly destination?: DestinationStream
}

const STDERR_DESCRIPTOR = 2

/** Makes a logger that writes one JSON object per line, with `level` as a word and `time` in ISO 8601. */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: toLoggable, error: toLoggable },
  }
  // Written synchronously: the last lines before a crash are the ones that matter.
  return wrap(pino(options, destination ?? openDestination({ dest: STDERR_DESCRIPTOR, sync: true })))
}

/** A logger that drops everything, for tests. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
}

/**
 * What a log may hold of an error: never its other fields. Drivers hang their whole client on an error, with passwords and
 * whatever it was sending.
 */
function toLoggable(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const code: unknown = Reflect.get(thrown, "code")
  return {
    type: thrown.name,
    message: thrown.message,
    stack: thrown.stack,
    ...(typeof code === "string" && { code }),
    ...(thrown.cause !== undefined && { cause: toLoggable(thrown.cause) }),
    // A connection that was tried at several addresses has no message of its own.
    ...(thrown instanceof AggregateError && { errors: thrown.errors.map(toLoggable) }),
  }
}

function wrap(target: PinoLogger): Logger {
  return {
    debug: (message, fields = {}) => target.debug(fields, message),
    info: (message, fields = {}) => target.info(fields, message),
    warn: (message, fields = {}) => target.warn(fields, message),
    error: (message, fields = {}) => target.error(fields, message),
    child: (fields) => wrap(target.child(fields)),
  }
}
