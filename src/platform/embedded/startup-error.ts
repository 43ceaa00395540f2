/**
 * Why Waymark cannot start, in one line that tells the operator what to change. The process edge prints the message
 * alone, without a stack, and exits with status 1.
 */
export class StartupError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message.replace(/\s*\n\s*/g, " "), options)
    this.name = "StartupError"
  }
}

/** Why an embedded server did not start on its directory. */
export const toStartupError = (server: string, directory: string, cause: unknown): StartupError =>
  new StartupError(`${server} did not start on ${directory}: ${cause instanceof Error ? cause.message : cause}`, {
    cause,
  })
