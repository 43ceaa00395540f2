import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"

/** How many queries may run and wait. */
export interface TurnLimits {
  /** Queries at once in this process. */
  readonly running: number
  readonly runningPerProject: number
  /** Queries in line; one more is refused at once. */
  readonly waiting: number
  readonly waitingPerProject: number
  /** A query that has waited this long is refused. */
  readonly waitMs: number
}

const WAIT_MS = 30_000

/**
 * Limits of blocking queries, of which one project may take the greater part but not all while others could come: three
 * quarters of what runs and a fifth of the line (`management.md` 1.7: three at once, and half a minute of waiting).
 */
export const blockingTurns = (atOnce: number, waiting: number): TurnLimits => ({
  running: atOnce,
  runningPerProject: Math.ceil(atOnce * 0.75),
  waiting,
  waitingPerProject: Math.ceil(waiting * 0.2),
  waitMs: WAIT_MS,
})

/** Exports last as long as their readers take. */
export const EXPORT_TURNS: TurnLimits = {
  running: 4,
  runningPerProject: 2,
  waiting: 100,
  waitingPerProject: 20,
  waitMs: WAIT_MS,
}

const RETRY_AFTER_SECONDS = 5

interface Waiter {
  readonly grant: () => void
}

interface Line {
  running: number
  readonly waiting: Set<Waiter>
}

/**
 * Gives out turns to blocking queries. Whose project runs fewest comes next, and among equals the one that was served
 * or came longest ago, so no project can keep the others waiting.
 */
export class QueryTurns {
  readonly #limits: TurnLimits
  /** In the order in which projects were served last. */
  readonly #lines = new Map<ProjectId, Line>()
  #running = 0
  #waiting = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Resolves with the function that ends the turn.
   * @throws AppError rate_limited (429) when the project's own line is full or too slow, store_unavailable (503) when all
   * lines together are full, and the signal's reason when it aborts.
   */
  async take(projectId: ProjectId, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const line = this.#lines.get(projectId) ?? { running: 0, waiting: new Set() }
    this.#lines.set(projectId, line)
    if (this.#mayRun(line)) this.#begin(projectId, line)
    else await this.#stand(line, signal).finally(() => this.#forgetIdle(projectId, line))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#end(projectId, line)
    }
  }

  #mayRun(line: Line): boolean {
    return this.#running < this.#limits.running && line.running < this.#limits.runningPerProject
  }

  #begin(projectId: ProjectId, line: Line): void {
    this.#running++
    line.running++
    this.#lines.delete(projectId)
    this.#lines.set(projectId, line)
  }

  #end(projectId: ProjectId, line: Line): void {
    this.#running--
    line.running--
    this.#forgetIdle(projectId, line)
    this.#next()
  }

  #forgetIdle(projectId: ProjectId, line: Line): void {
    const isIdle = line.running === 0 && line.waiting.size === 0
    if (isIdle && this.#lines.get(projectId) === line) this.#lines.delete(projectId)
  }

  #next(): void {
    const ready = [...this.#lines].filter(([, line]) => line.waiting.size > 0 && this.#mayRun(line))
    const [first] = ready.sort(([, a], [, b]) => a.running - b.running)
    if (first === undefined) return
    const [projectId, line] = first
    const [waiter] = line.waiting
    this.#begin(projectId, line)
    waiter?.grant()
  }

  async #stand(line: Line, signal: AbortSignal): Promise<void> {
    if (line.waiting.size >= this.#limits.waitingPerProject)
      throw this.#refusal("Too many queries of this project wait")
    if (this.#waiting >= this.#limits.waiting)
      throw new AppError("store_unavailable", {
        detail: "Queries are too busy. Please retry later.",
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        stopWaiting()
        reject(reason)
      }
      const onAbort = (): void => leave(signal.reason)
      const timer = setTimeout(
        () => leave(this.#refusal("The query waited too long for its turn")),
        this.#limits.waitMs,
      ).unref()
      const stopWaiting = (): void => {
        clearTimeout(timer)
        signal.removeEventListener("abort", onAbort)
        if (line.waiting.delete(waiter)) this.#waiting--
      }
      const waiter: Waiter = {
        grant: () => {
          stopWaiting()
          resolve()
        },
      }
      signal.addEventListener("abort", onAbort, { once: true })
      line.waiting.add(waiter)
      this.#waiting++
    })
  }

  #refusal(what: string): AppError {
    const { runningPerProject } = this.#limits
    return new AppError("rate_limited", {
      detail: `${what}: at most ${runningPerProject} of a project run at once. Please retry later.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}
