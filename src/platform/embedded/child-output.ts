import type { ChildProcess } from "node:child_process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import type { Logger } from "../logger/logger.js"

export interface ChildOutputOptions {
  /** Finds the reason of a failure in a line. */
  readonly failurePattern: RegExp
  readonly logger: Logger
  readonly level: "debug" | "warn"
}

/** Passes on to the log what a child writes to stderr. */
export class ChildOutput {
  /** The last reason for which the child gave up. */
  lastFailure: string | null = null

  constructor(private readonly options: ChildOutputOptions) {}

  follow(child: ChildProcess): ChildProcess {
    const { failurePattern, logger, level } = this.options
    this.lastFailure = null
    readLines(child.stderr, (line) => {
      this.lastFailure = failurePattern.exec(line)?.at(-1) ?? this.lastFailure
      logger[level](line)
    })
    return child
  }
}

/** Calls `onLine` for every line that a child writes to one of its piped outputs; null is an output that is not piped. */
export function readLines(output: Readable | null, onLine: (line: string) => void): void {
  if (output === null) return
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on("line", onLine)
}
