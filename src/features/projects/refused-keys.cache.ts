import { LRUCache } from "lru-cache"
import { type Clock, isRecent } from "../../kernel/clock.js"

/** How long it is worth knowing that a key was refused. */
const RECENT_MS = 10 * 60_000
const MAX_NOTED = 200
/** Enough to recognise a key by, and much too little to use it. */
const SHOWN_CHARACTERS = 10

/** A key that somebody sent and no project owns. */
export interface RefusedKey {
  readonly beginsWith: string
  /** Requests that named it, from one address. */
  readonly count: number
  readonly lastAt: Date
  /** Address that it came from. */
  readonly senderIp: string
}

export type RefusedKeys = ReturnType<typeof createRefusedKeys>

/** Notes how the keys begin that this process has refused of late, for people who wonder why nothing arrives. */
export function createRefusedKeys(clock: Clock) {
  const noted = new LRUCache<string, RefusedKey>({ max: MAX_NOTED })
  const isCurrent = ({ lastAt }: RefusedKey): boolean => isRecent(clock.now(), lastAt.getTime(), RECENT_MS)
  return {
    note(key: string, senderIp: string): void {
      const beginsWith = key.slice(0, SHOWN_CHARACTERS)
      const name = `${senderIp} ${beginsWith}`
      const known = noted.get(name)
      const count = known !== undefined && isCurrent(known) ? known.count + 1 : 1
      noted.set(name, { beginsWith, count, lastAt: new Date(clock.now()), senderIp })
    },

    /** Those of the last ten minutes, the latest first; of one address alone unless it is null. */
    list: (senderIp: string | null): RefusedKey[] =>
      [...noted.values()].filter((key) => isCurrent(key) && (senderIp === null || key.senderIp === senderIp)),
  }
}
