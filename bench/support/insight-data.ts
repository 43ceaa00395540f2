import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"
import type { CopiedTable } from "./postgres-copy.js"

/** Events, and persons who did them, over `DAYS` days from `FIRST_DAY`, in project 1. */
export const FIRST_DAY = "2026-01-01"
export const LAST_DAY = "2026-01-30"
const DAYS = 30
const EVENTS_PER_PERSON = 20
const EVENTS_PER_SESSION = 10
const BLOCK = 1_000_000

/** Names from the most frequent on, each with how many of a thousand events have it. */
const SHARES: readonly (readonly [name: string, perMille: number])[] = [
  ["$pageview", 300],
  ["$autocapture", 200],
  ["$pageleave", 120],
  ["product viewed", 80],
  ["search", 50],
  ["filter applied", 40],
  ["cart opened", 35],
  ["item added", 30],
  ["$identify", 25],
  ["signup started", 22],
  ["signup completed", 18],
  ["checkout started", 15],
  ["address entered", 13],
  ["payment entered", 12],
  ["order placed", 10],
  ["review written", 8],
  ["share clicked", 7],
  ["coupon used", 6],
  ["support asked", 5],
  ["account deleted", 4],
]

const names = SHARES.map(([name]) => `'${name}'`).join(", ")
const bounds = SHARES.map((_, at) => SHARES.slice(0, at + 1).reduce((sum, [, perMille]) => sum + perMille, 0)).join(
  ", ",
)
/** A number that looks random and is the same in every run: one per row, session or person and purpose, 0 to 63. */
const draw = (of: string, purpose: number): string => `intHash64(${of} * 64 + ${purpose})`
const share = (of: string, purpose: number): string => `(${draw(of, purpose)} % 1000000) / 1000000`
const uuidOf = (kind: number, number: string): string =>
  `reinterpretAsUUID(bitShiftLeft(toUInt128(${draw(number, kind)}), 64) + ${draw(number, kind + 32)})`

const EVENT_COLUMNS =
  "project_id, uuid, event, distinct_id, properties, timestamp, created_at, inserted_at, person_id, person_created_at, person_properties, person_mode, `$session_id`"

/**
 * Sessions of ten events some seconds apart; some persons have many sessions, most have few. One person in twenty was
 * anonymous in the first ten days, under an id and a person of its own, and merged later.
 */
const eventRows = (first: number, count: number, persons: number): string => `
  WITH
    intDiv(number, ${EVENTS_PER_SESSION}) AS session,
    toUInt64(${persons} * pow(${share("session", 1)}, 1.5)) AS person,
    toDateTime64('${FIRST_DAY} 00:00:00', 6, 'UTC') AS epoch,
    addMicroseconds(epoch, ${draw("session", 2)} % toUInt64(${DAYS} * 86400e6 - 7200e6)
      + (number % ${EVENTS_PER_SESSION}) * 60000000 + ${draw("number", 3)} % 60000000) AS time,
    person % 20 = 0 AND time < addDays(epoch, 10) AS is_anonymous,
    ['Chrome', 'Chrome', 'Chrome', 'Safari', 'Safari', 'Firefox', 'Edge', 'Opera'][person % 8 + 1] AS browser,
    ['/', '/pricing', '/products', '/products/chair', '/cart', '/docs', '/blog', '/about'][${draw("number", 4)} % 8 + 1] AS path
  SELECT 1, ${uuidOf(16, "number")}, 
    [${names}][arrayFirstIndex(bound -> ${draw("number", 5)} % 1000 < bound, [${bounds}])],
    concat(if(is_anonymous, 'anonymous-', 'person-'), toString(person)),
    concat('{"$browser":"', browser, '","$browser_version":', toString(100 + person % 40),
      ',"$os":"', ['Mac OS X', 'Windows', 'Linux', 'iOS', 'Android'][person % 5 + 1],
      '","$current_url":"https://shop.example', path, '?visit=', toString(session),
      '","$pathname":"', path, '","$referring_domain":"', ['$direct', 'search.example', 'news.example'][session % 3 + 1],
      '","plan":"', ['free', 'free', 'team', 'scale'][person % 4 + 1], '","amount":', toString(number % 1000 / 10), '}'),
    time, time, time, if(is_anonymous, ${uuidOf(18, "person")}, ${uuidOf(17, "person")}), epoch, '{}', 'full',
    toString(${uuidOf(19, "session")})
  FROM numbers(${first}, ${count})`

/** Stores `count` events and their persons; calls `onProgress` with how many events there are. */
export async function storeEvents(
  clickHouse: ClickHouse,
  count: number,
  onProgress: (stored: number) => void,
): Promise<void> {
  const persons = Math.max(1, Math.floor(count / EVENTS_PER_PERSON))
  for (let first = 0; first < count; first += BLOCK) {
    const size = Math.min(BLOCK, count - first)
    await clickHouse.command({ sql: `INSERT INTO events (${EVENT_COLUMNS}) ${eventRows(first, size, persons)}` })
    onProgress(first + size)
  }
  const merged = `FROM numbers(${persons}) WHERE number % 20 = 0`
  const ids = `SELECT 1, concat('person-', toString(number)), ${uuidOf(17, "number")}, false, 1 FROM numbers(${persons})
    UNION ALL SELECT 1, concat('anonymous-', toString(number)), ${uuidOf(17, "number")}, false, 2 ${merged}`
  const overrides = `SELECT 1, concat('anonymous-', toString(number)), ${uuidOf(17, "number")}, false, 2 ${merged}`
  await clickHouse.command({ sql: `INSERT INTO person_distinct_ids ${ids}` })
  await clickHouse.command({ sql: `INSERT INTO person_distinct_id_overrides ${overrides}` })
  await clickHouse.command({
    sql: `INSERT INTO persons SELECT 1, ${uuidOf(17, "number")}, toDateTime64('${FIRST_DAY} 00:00:00', 6, 'UTC'),
      concat('{"plan":"', ['free', 'free', 'team', 'scale'][number % 4 + 1], '"}'), true, false, 1 FROM numbers(${persons})`,
  })
  for (const table of ["events", "persons", "person_distinct_ids", "person_distinct_id_overrides"])
    await clickHouse.command({ sql: `OPTIMIZE TABLE ${table} FINAL` })
}

/** The events as PostgreSQL gets them, each with the person it belongs to now, which saves PostgreSQL the join. */
export const COPIED_EVENTS: CopiedTable = {
  name: "events",
  columns: "event text, person_id uuid, timestamp timestamptz, properties jsonb",
  rows: `SELECT e.event, toString(if(o.distinct_id = '', e.person_id, o.person_id)), toString(e.timestamp), e.properties
  FROM events AS e LEFT JOIN person_distinct_id_overrides AS o ON e.distinct_id = o.distinct_id ORDER BY e.timestamp`,
  indexes: ["(event, timestamp) INCLUDE (person_id)"],
}
