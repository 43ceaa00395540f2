import type { Stores } from "./open-stores.js"

/** What tells whether a store answers. */
export interface StoreProbe {
  readonly store: "postgres" | "clickhouse" | "redis"
  /** Rejects when it does not. */
  readonly probe: () => Promise<void>
}

/** A probe for each store of a process; Redis is one of them only where it is used. */
export const listStoreProbes = ({
  database,
  clickHouse,
  redis,
}: Pick<Stores, "database" | "clickHouse" | "redis">): readonly StoreProbe[] => [
  { store: "postgres", probe: () => database.ping() },
  { store: "clickhouse", probe: () => clickHouse.ping() },
  ...(redis === null ? [] : [{ store: "redis", probe: () => redis.ping() } as const]),
]
