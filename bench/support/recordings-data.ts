import type pg from "pg"
import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"

const BLOCKS_PER_SESSION = 3
const EVENTS_PER_SESSION = 5
const DAYS = 20
const PERSONS = 10_000

/** A number that looks random and is the same in every run. */
const draw = (of: string, purpose: number): string => `intHash64(${of} * 64 + ${purpose})`
const session = (of: string): string => `concat('session-', leftPad(toString(${of}), 7, '0'))`
const person = (of: string): string => `concat('person-', toString(${draw(of, 1)} % ${PERSONS}))`
const personUuid = (number: string): string =>
  `toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(${number}), 12, '0')))`
const start = (of: string): string => `now64(3) - toIntervalSecond(${draw(of, 2)} % ${DAYS * 86_400})`

/** Stores recorded sessions of the last 20 days in project 1, straight into ClickHouse: three blocks and five events each. */
export async function storeRecordings(clickHouse: ClickHouse, sessions: number): Promise<void> {
  const of = `intDiv(number, ${BLOCKS_PER_SESSION})`
  await clickHouse.command({
    sql: `INSERT INTO session_replay_events (project_id, session_id, distinct_id, first_timestamp, last_timestamp, first_url,
        urls, click_count, keypress_count, mouse_activity_count, active_milliseconds, console_log_count,
        console_warn_count, console_error_count, size, event_count, message_count, inserted_at)
      WITH ${start(of)} + toIntervalSecond(60 * (number % ${BLOCKS_PER_SESSION})) AS time,
        concat('https://shop.example/', toString(${draw("number", 3)} % 50)) AS url
      SELECT 1, ${session(of)}, ${person(of)}, time, time + toIntervalSecond(55), url, [url], ${draw("number", 4)} % 20,
        ${draw("number", 5)} % 40, ${draw("number", 6)} % 200, ${draw("number", 7)} % 55000, ${draw("number", 8)} % 5,
        0, if(${draw("number", 9)} % 20 = 0, 1, 0), 100000, 300, 25, time + toIntervalSecond(57)
      FROM numbers(${sessions * BLOCKS_PER_SESSION})`,
    settings: { max_partitions_per_insert_block: 0 },
  })
  const ofEvent = `intDiv(number, ${EVENTS_PER_SESSION})`
  await clickHouse.command({
    sql: `INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at, person_id, $session_id)
      SELECT 1, generateUUIDv4(), ['$pageview', '$autocapture', 'product viewed', 'order placed'][${draw("number", 10)} % 4 + 1],
        ${person(ofEvent)}, concat('{"$browser":"', ['Chrome', 'Safari', 'Firefox'][${ofEvent} % 3 + 1], '"}'),
        ${start(ofEvent)} + toIntervalSecond(number % ${EVENTS_PER_SESSION}) AS time, time,
        ${personUuid(`${draw(ofEvent, 1)} % ${PERSONS}`)}, ${session(ofEvent)}
      FROM numbers(${sessions * EVENTS_PER_SESSION})`,
  })
  await clickHouse.command({
    sql: `INSERT INTO persons (project_id, id, created_at, properties, is_identified, is_deleted, version)
      SELECT 1, ${personUuid("number")}, now64(6), concat('{"plan":"', ['free', 'free', 'free', 'team'][number % 4 + 1], '"}'),
        true, false, 1 FROM numbers(${PERSONS})`,
  })
  await clickHouse.command({
    sql: `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, is_deleted, version)
      SELECT 1, concat('person-', toString(number)), ${personUuid("number")}, false, 1 FROM numbers(${PERSONS})`,
  })
}

/** The persons of those sessions, as PostgreSQL has them. */
export async function storePersons(pool: pg.Pool): Promise<void> {
  const uuid = "('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid"
  await pool.query(
    `INSERT INTO person (project_id, id, properties, is_identified, created_at, version)
     SELECT 1, ${uuid}, jsonb_build_object('email', n || '@shop.example'), true, now(), 1 FROM generate_series(0, $1::int - 1) AS n`,
    [PERSONS],
  )
  await pool.query(
    `INSERT INTO person_distinct_id (project_id, distinct_id, person_id, version)
     SELECT 1, 'person-' || n, ${uuid}, 1 FROM generate_series(0, $1::int - 1) AS n`,
    [PERSONS],
  )
}
