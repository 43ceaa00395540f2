import pg from "pg"
import { createClickHouse } from "../src/platform/clickhouse/click-house-client.js"
import { silentLogger } from "../src/platform/logger/logger.js"
import { PERSONAL_KEY, startWaymark } from "./support/server.js"
import { startSharedStores } from "./support/shared-stores.js"
import { StatementCounter } from "./support/statements.js"
import { printTable } from "./support/table.js"

const PLAYLISTS = 1000
const USERS = 40
const RECORDINGS_PER_PLAYLIST = 30
const TIMES = 200

const USER = "{ id email firstName }"
const QUERY = `query ($first: Int) { page: sessionRecordingPlaylists(projectId: "@current", first: $first) {
  totalCount nodes { shortId name createdBy ${USER} lastModifiedBy ${USER}
    recordingsCounts { collection { count watchedCount } savedFilters { count watchedCount } } } } }`

/** Playlists of many users, each with attached recordings of which some were watched. */
async function storePlaylists(pool: pg.Pool): Promise<void> {
  await pool.query(
    `INSERT INTO app_user (id, uuid, distinct_id, email, created_at)
     SELECT 1000 + n, gen_random_uuid(), 'user-' || n, n || '@shop.example', now() FROM generate_series(1, $1::int) AS n`,
    [USERS],
  )
  await pool.query(
    `INSERT INTO session_recording_playlist (id, project_id, short_id, name, filters, created_at, created_by_id, last_modified_at, last_modified_by_id)
     SELECT 1000 + n, 1, 'p' || n, 'Playlist ' || n, '{}', now(), 1001 + n % $2::int, now() - n * interval '1 minute', 1001 + n * 7 % $2::int
     FROM generate_series(1, $1::int) AS n`,
    [PLAYLISTS, USERS],
  )
  await pool.query(
    `INSERT INTO session_recording_playlist_item (playlist_id, session_id, attached_at)
     SELECT 1000 + p, 'session-' || p || '-' || n, now() FROM generate_series(1, $1::int) AS p, generate_series(1, $2::int) AS n`,
    [PLAYLISTS, RECORDINGS_PER_PLAYLIST],
  )
  await pool.query(
    `INSERT INTO session_recording_view (project_id, session_id, user_id, viewed_at)
     SELECT 1, 'session-' || p || '-' || n, 1, now() FROM generate_series(1, $1::int) AS p, generate_series(1, 10) AS n`,
    [PLAYLISTS],
  )
}

const stores = await startSharedStores()
const { DATABASE_URL = "", CLICKHOUSE_URL = "" } = stores.environment
const server = await startWaymark({ environment: stores.environment })
const clickHouse = createClickHouse({ url: () => CLICKHOUSE_URL, logger: silentLogger })
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 1 })
const counter = new StatementCounter(DATABASE_URL, clickHouse)
try {
  await storePlaylists(pool)
  await counter.settle()
  const list = async (first: number): Promise<void> => {
    const answer = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { Authorization: `Bearer ${PERSONAL_KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: QUERY, variables: { first } }),
    })
    const body = (await answer.json()) as { data?: { page: { nodes: unknown[] } } }
    if (body.data?.page.nodes.length !== first) throw new Error(`${answer.status}: ${JSON.stringify(body)}`)
  }
  const rows: string[][] = []
  for (const first of [1, 50]) {
    const cost = await counter.measure(TIMES, () => list(first))
    rows.push([String(first), cost.medianMs.toFixed(1), cost.postgres.toFixed(1), cost.clickHouse.toFixed(1)])
  }
  process.stdout.write(
    `GraphQL lists out of ${PLAYLISTS} playlists of ${USERS} users with ${RECORDINGS_PER_PLAYLIST} recordings each, ${TIMES} times each\n\n`,
  )
  printTable(["playlists with users and counts", "median ms", "PostgreSQL", "ClickHouse"], rows)
} finally {
  await Promise.all([counter.close(), pool.end(), clickHouse.close()])
  await server.stop()
  await stores.stop()
}
