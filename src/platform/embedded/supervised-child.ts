import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "../logger/logger.js"
import { forgetOwnership, recordOwnership, stopOrphan } from "./owned-process.js"
import { readLines } from "./read-lines.js"

/** How a child is started, watched and stopped. */
export interface ChildSpecification {
  /** What the child is called in logs and errors. */
  readonly name: string
  /**
   * Starts the process. Spawn it `detached`, or Ctrl-C in a terminal reaches it before Waymark has drained its work.
   * A child that can should also end by itself when its parent is gone (closed stdin or IPC channel).
   */
  readonly spawn: () => ChildProcess
  /** Resolves once the child serves; rejects when it never will. `signal` aborts when the child has ended. */
  readonly waitUntilReady: (child: ChildProcess, signal: AbortSignal) => Promise<void>
  /** Clears what an earlier life of the child left behind. Called before every start, the first included. */
  readonly beforeStart?: () => Promise<void>
  /** Finds in a line that the child writes to stderr why it gives up. */
  readonly failurePattern: RegExp
  /** How the lines that it writes to stderr are logged. */
  readonly outputLevel: "debug" | "warn"
  /** File in which the running child is written down; see `recordOwnership`. */
  readonly ownershipFile: string
  /** Asks the child to end in good order. */
  readonly stopSignal: NodeJS.Signals
  /** How long it may take before SIGKILL. */
  readonly stopTimeoutMs: number
  readonly logger: Logger
}

/** A child process that runs until `stop` is called, started again whenever it dies. */
export interface SupervisedChild {
  /** Pid of the running child; null between a death and the next start. */
  pid(): number | null
  /** Ends the child in good order and stays down. Safe to call more than once. */
  stop(): Promise<void>
}

const FIRST_BACKOFF_MS = 50
const MAX_BACKOFF_MS = 2_000
/** After a child has lived this long, its death has another cause and the backoff starts over. */
const STEADY_AFTER_MS = 5_000
/** How often one reason for failures is logged. */
const SAME_FAILURE_EVERY_MS = 600_000

/**
 * Stops what an earlier Waymark left running, starts the child and waits until it is ready.
 * From then on a child that dies is started again, at once the first time and ever slower if it keeps dying.
 * @throws Error with the child's own reason, if it gave one, when the first start fails; nothing is left running then.
 */
export async function superviseChild(specification: ChildSpecification): Promise<SupervisedChild> {
  const { ownershipFile, name, logger, stopSignal, stopTimeoutMs } = specification
  const orphan = await stopOrphan(ownershipFile, [{ signal: stopSignal, waitMs: stopTimeoutMs }])
  if (orphan !== null) logger.warn("stopped a child left by an earlier run", { child: name, pid: orphan.pid })
  const supervisor = new Supervisor(specification)
  await supervisor.start()
  return supervisor
}

class Supervisor implements SupervisedChild {
  private readonly stopped = new AbortController()
  private running: RunningChild | null = null
  private restart: Promise<void> = Promise.resolve()
  private deathsInARow = 0
  /** Why the child gave up the last time. */
  private failure: string | null = null
  /** Whether it has served; before that, whoever starts it is told why it failed. */
  private hasServed = false
  /** The reason that was logged last, numbers left out, which differ from one try to the next; and when. */
  private logged: { readonly kind: string; readonly atMs: number } | null = null
  // Without this a process that exits on a startup error or a defect would leave the child behind.
  private readonly onProcessExit = (): void => {
    this.running?.child.kill(this.specification.stopSignal)
  }

  constructor(private readonly specification: ChildSpecification) {}

  pid(): number | null {
    return this.running?.child.pid ?? null
  }

  async start(): Promise<void> {
    process.once("exit", this.onProcessExit)
    try {
      await this.launch()
    } catch (error) {
      process.off("exit", this.onProcessExit)
      throw this.failure === null ? error : new Error(this.failure, { cause: error })
    }
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    await this.end()
    await this.restart
    process.off("exit", this.onProcessExit)
    forgetOwnership(this.specification.ownershipFile)
  }

  private async launch(): Promise<void> {
    const { name, beforeStart, waitUntilReady, ownershipFile, logger } = this.specification
    await beforeStart?.()
    this.stopped.signal.throwIfAborted()
    const running = new RunningChild(this.spawn())
    this.running = running
    try {
      if (running.child.pid !== undefined) recordOwnership(ownershipFile, running.child.pid)
      const endedEarly = running.ended.then((reason) => Promise.reject(new Error(reason)))
      await Promise.race([waitUntilReady(running.child, running.endedSignal), endedEarly])
    } catch (error) {
      // When the child has ended, that is a better reason than whatever `waitUntilReady` reports.
      const endedEarly = running.endedSignal.aborted ? await running.ended : null
      await this.end()
      throw endedEarly === null
        ? error
        : new Error(`${name} ended before it was ready: ${endedEarly}`, { cause: error })
    }
    this.hasServed = true
    const readyAt = performance.now()
    void running.ended.then((reason) => {
      this.running = null
      if (this.stopped.signal.aborted) return
      if (performance.now() - readyAt > STEADY_AFTER_MS) this.deathsInARow = 0
      logger.error("child died, starting it again", { child: name, reason })
      this.restart = this.restartUntilReady()
    })
  }

  private spawn(): ChildProcess {
    const { name, spawn, failurePattern, outputLevel, logger } = this.specification
    this.failure = null
    const child = spawn()
    const log = logger.child({ child: name })
    readLines(child.stderr, (line) => {
      const failure = failurePattern.exec(line)?.at(-1)
      if (failure !== undefined) this.noteFailure(failure)
      log[outputLevel](line)
    })
    return child
  }

  /** A child that fails again and again for one reason is not heard each time. */
  private noteFailure(reason: string): void {
    this.failure = reason
    if (!this.hasServed) return
    const [kind, atMs] = [reason.replace(/\d+/g, ""), performance.now()]
    if (kind === this.logged?.kind && atMs - this.logged.atMs < SAME_FAILURE_EVERY_MS) return
    this.logged = { kind, atMs }
    const { name, logger } = this.specification
    logger.error("child says why it fails", { child: name, reason })
  }

  private async restartUntilReady(): Promise<void> {
    const { name, logger } = this.specification
    while (!this.stopped.signal.aborted) {
      try {
        await this.backOff()
        await this.launch()
        logger.info("child is ready again", { child: name, pid: this.pid() })
        return
      } catch (error) {
        if (!this.stopped.signal.aborted) logger.error("child cannot be started again", { child: name, err: error })
      }
    }
  }

  private async backOff(): Promise<void> {
    const waitMs = this.deathsInARow === 0 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** this.deathsInARow, MAX_BACKOFF_MS)
    this.deathsInARow++
    await sleep(waitMs, undefined, { signal: this.stopped.signal })
  }

  private async end(): Promise<void> {
    const running = this.running
    if (running === null) return
    await running.end(this.specification.stopSignal, this.specification.stopTimeoutMs)
    if (this.running === running) this.running = null
  }
}

/** One life of the child. */
class RunningChild {
  readonly child: ChildProcess
  /** Resolves with the reason in words when the process has ended or could not be started. */
  readonly ended: Promise<string>
  readonly endedSignal: AbortSignal

  constructor(child: ChildProcess) {
    const ending = new AbortController()
    this.child = child
    this.endedSignal = ending.signal
    this.ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => resolve(signal === null ? `exit status ${code}` : `signal ${signal}`))
      child.once("error", (error) => resolve(error.message))
    })
    void this.ended.then(() => ending.abort())
  }

  async end(signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
    if (this.endedSignal.aborted) return
    this.child.kill(signal)
    const kill = setTimeout(() => this.child.kill("SIGKILL"), timeoutMs)
    await this.ended
    clearTimeout(kill)
  }
}
