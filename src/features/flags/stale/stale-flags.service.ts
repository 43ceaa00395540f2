import { sameValueForEverybody } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { Flag, FlagStore } from "../flags.types.js"

/** When SDKs last reported that they used a flag (`$feature_flag_called`). */
export interface FlagCallHistory {
  /** Last report per flag key since a time; rejects when that cannot be told. */
  lastCalls(projectId: ProjectId, sinceMs: number): Promise<ReadonlyMap<string, Date>>
}

/** A flag that nobody needs any more, and why. */
export interface StaleFlag {
  readonly flag: Flag
  readonly reasons: string[]
  readonly unchangedSince: Date
  readonly lastCalledAt: Date | null
}

/** Finds flags that nobody needs any more. */
export interface StaleFlags {
  /** @throws AppError invalid_input when `days` is not 1 to 365. */
  list(projectId: ProjectId, days: number): Promise<StaleFlag[]>
}

export interface StaleFlagsDependencies {
  readonly store: Pick<FlagStore, "listAll">
  readonly calls: FlagCallHistory
  readonly clock: Clock
  readonly logger: Logger
}

const DAY_MS = 86_400_000
const MAX_DAYS = 365

/**
 * Lists flags that nobody changed for `days` and that are switched off, give everybody the same value, or were not used by
 * any SDK in that time. The last holds only where SDKs report uses of some flag of the project: else their silence says
 * nothing.
 */
export function createStaleFlags({ store, calls, clock, logger }: StaleFlagsDependencies): StaleFlags {
  const lastCalls = async (projectId: ProjectId, sinceMs: number): Promise<ReadonlyMap<string, Date>> => {
    try {
      return await calls.lastCalls(projectId, sinceMs)
    } catch (err) {
      logger.warn("could not read which flags were called", { err, projectId })
      return new Map()
    }
  }

  return {
    list: async (projectId, days) => {
      if (days < 1 || days > MAX_DAYS)
        throw new AppError("invalid_input", { attr: "days", detail: `days must be 1 to ${MAX_DAYS}.` })
      const sinceMs = clock.now() - days * DAY_MS
      const unchanged = (await store.listAll(projectId)).filter(({ updatedAt }) => updatedAt.getTime() <= sinceMs)
      if (unchanged.length === 0) return []
      const called = await lastCalls(projectId, sinceMs)
      return unchanged
        .map((flag) => ({
          flag,
          reasons: listReasons(flag, called),
          unchangedSince: flag.updatedAt,
          lastCalledAt: called.get(flag.key) ?? null,
        }))
        .filter(({ reasons }) => reasons.length > 0)
        .sort((left, right) => left.unchangedSince.getTime() - right.unchangedSince.getTime())
    },
  }
}

function listReasons(flag: Flag, called: ReadonlyMap<string, Date>): string[] {
  if (!flag.active) return ["INACTIVE"]
  const value = flag.isRemoteConfiguration ? null : sameValueForEverybody(flag.filters)
  const isUnused = called.size > 0 && !called.has(flag.key)
  return [
    ...(value === null ? [] : [value === false ? "OFF_FOR_EVERYBODY" : "SAME_FOR_EVERYBODY"]),
    ...(isUnused ? ["NOT_CALLED"] : []),
  ]
}
