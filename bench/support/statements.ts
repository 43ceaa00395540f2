import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"

/** PostgreSQL's own counters may lag behind by this much. */
const COUNTERS_LAG_MS = 11_000

/** What one request makes the stores do, and how long it takes. */
export interface RequestCost {
  readonly medianMs: number
  /** Autocommitted statements and transactions of PostgreSQL. */
  readonly postgres: number
  readonly clickHouse: number
}

/** Counts what requests make the stores do, by the stores' own counters; what the server does unasked is taken off. */
export class StatementCounter {
  private readonly pool: pg.Pool
  /** What happens in a second without any request. */
  private idlePerSecond = { postgres: 0, clickHouse: 0 }

  constructor(
    databaseUrl: string,
    private readonly engine: ClickHouse,
  ) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  }

  /** Learns what the server does unasked. Call it while nothing else runs. */
  async settle(): Promise<void> {
    await pause(COUNTERS_LAG_MS)
    const startedAt = performance.now()
    const before = await this.counters()
    await pause(COUNTERS_LAG_MS)
    const after = await this.counters()
    const seconds = (performance.now() - startedAt) / 1000
    this.idlePerSecond = {
      postgres: (after.postgres - before.postgres) / seconds,
      clickHouse: (after.clickHouse - before.clickHouse) / seconds,
    }
  }

  /** Sends one request after the other, the first few for nothing. @throws Error when one fails. */
  async measure(times: number, request: () => Promise<void>): Promise<RequestCost> {
    for (let warm = 0; warm < 3; warm++) await request()
    await pause(COUNTERS_LAG_MS)
    const startedAt = performance.now()
    const before = await this.counters()
    const tookMs: number[] = []
    for (let time = 0; time < times; time++) {
      const sentAt = performance.now()
      await request()
      tookMs.push(performance.now() - sentAt)
    }
    await pause(COUNTERS_LAG_MS)
    const after = await this.counters()
    const seconds = (performance.now() - startedAt) / 1000
    const perRequest = (name: "postgres" | "clickHouse"): number =>
      (after[name] - before[name] - this.idlePerSecond[name] * seconds) / times
    return {
      medianMs: tookMs.toSorted((a, b) => a - b)[times >> 1] ?? 0,
      postgres: perRequest("postgres"),
      clickHouse: perRequest("clickHouse"),
    }
  }

  async close(): Promise<void> {
    await this.pool.end()
  }

  private async counters(): Promise<{ postgres: number; clickHouse: number }> {
    const { rows } = await this.pool.query<{ count: number }>(
      "SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()",
    )
    const [events] = await this.engine.rows<{ count: number }>({
      sql: "SELECT value AS count FROM system.events WHERE event = 'SelectQuery'",
    })
    return { postgres: rows[0]?.count ?? 0, clickHouse: events?.count ?? 0 }
  }
}
