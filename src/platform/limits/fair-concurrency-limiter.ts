import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"

/** How much work may run and wait. */
export interface ConcurrencyLimits {
  /** What is admitted, in the plural, for the texts of refusals. */
  readonly what: string
  /** Work at once in this process. */
  readonly running: number
  readonly runningPerProject: number
  /** Work in all queues; more is refused at once. */
  readonly waiting: number
  readonly waitingPerProject: number
  /** What has waited this long is refused. */
  readonly waitMs: number
}

const RETRY_AFTER_SECONDS = 5

interface Waiter {
  readonly grant: () => void
}

/** What one project runs and has waiting. */
interface TenantQueue {
  running: number
  readonly waiting: Set<Waiter>
}

/**
 * Admits work, so much at once, with a queue for each project. A free slot goes to the project that runs fewest, and
 * among equals to the one that was served or came longest ago, so that no project can keep the others waiting.
 */
export class FairConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  /** In the order in which projects were served last. */
  readonly #queues = new Map<ProjectId, TenantQueue>()
  #running = 0
  #waiting = 0

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Resolves with the function that releases the slot.
   * @throws AppError rate_limited (429) when the project's own queue is full or too slow, store_unavailable (503) when all
   * queues together are full, and the signal's reason when it aborts.
   */
  async acquire(projectId: ProjectId, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const queue = this.#queues.get(projectId) ?? { running: 0, waiting: new Set() }
    this.#queues.set(projectId, queue)
    if (this.#hasSlotFor(queue)) this.#occupy(projectId, queue)
    else await this.#enqueue(queue, signal).finally(() => this.#forgetIdle(projectId, queue))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#release(projectId, queue)
    }
  }

  #hasSlotFor(queue: TenantQueue): boolean {
    return this.#running < this.#limits.running && queue.running < this.#limits.runningPerProject
  }

  #occupy(projectId: ProjectId, queue: TenantQueue): void {
    this.#running++
    queue.running++
    this.#queues.delete(projectId)
    this.#queues.set(projectId, queue)
  }

  #release(projectId: ProjectId, queue: TenantQueue): void {
    this.#running--
    queue.running--
    this.#forgetIdle(projectId, queue)
    this.#admitNext()
  }

  #forgetIdle(projectId: ProjectId, queue: TenantQueue): void {
    const isIdle = queue.running === 0 && queue.waiting.size === 0
    if (isIdle && this.#queues.get(projectId) === queue) this.#queues.delete(projectId)
  }

  #admitNext(): void {
    const ready = [...this.#queues].filter(([, queue]) => queue.waiting.size > 0 && this.#hasSlotFor(queue))
    const [first] = ready.sort(([, a], [, b]) => a.running - b.running)
    if (first === undefined) return
    const [projectId, queue] = first
    const [waiter] = queue.waiting
    this.#occupy(projectId, queue)
    waiter?.grant()
  }

  async #enqueue(queue: TenantQueue, signal: AbortSignal): Promise<void> {
    if (queue.waiting.size >= this.#limits.waitingPerProject)
      throw this.#toRefusal(`Too many ${this.#limits.what} of this project wait`)
    if (this.#waiting >= this.#limits.waiting)
      throw new AppError("store_unavailable", {
        detail: `Too many ${this.#limits.what} wait. Please retry later.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    return new Promise((resolve, reject) => {
      const refuse = (reason: unknown): void => {
        stopWaiting()
        reject(reason)
      }
      const onAbort = (): void => refuse(signal.reason)
      const onTimeout = (): void => refuse(this.#toRefusal("The request waited too long for its turn"))
      const timer = setTimeout(onTimeout, this.#limits.waitMs).unref()
      const stopWaiting = (): void => {
        clearTimeout(timer)
        signal.removeEventListener("abort", onAbort)
        if (queue.waiting.delete(waiter)) this.#waiting--
      }
      const waiter: Waiter = {
        grant: () => {
          stopWaiting()
          resolve()
        },
      }
      signal.addEventListener("abort", onAbort, { once: true })
      queue.waiting.add(waiter)
      this.#waiting++
    })
  }

  #toRefusal(what: string): AppError {
    const { runningPerProject } = this.#limits
    return new AppError("rate_limited", {
      detail: `${what}: at most ${runningPerProject} of a project run at once. Please retry later.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}
