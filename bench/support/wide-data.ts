import { Client } from "pg"
import {
  EVENT_PROPERTY_COLUMNS,
  SPARE_COLUMN_COUNT,
  SPARE_COUNT_COLUMN,
  toPropertyColumn,
  toSpareColumn,
} from "../../src/kernel/property-columns.js"
import type { ClickHouse } from "../../src/platform/clickhouse/click-house.js"
import type { CopiedTable } from "./postgres-copy.js"

/** The days of the events, in project 1. */
export const FIRST_DAY = "2026-01-01"
export const LAST_DAY = "2026-01-30"
const EVENTS_PER_SESSION = 10
const SESSIONS_PER_PERSON = 3
const BLOCK = 250_000

/** A number that looks random and is the same in every run: one for each row, session or person and purpose. */
const draw = (of: string, purpose: number): string => `intHash64(${of} * 64 + ${purpose})`
const pick = (values: readonly string[], number: string): string =>
  `[${values.map((value) => `'${value}'`).join(", ")}][${number} % ${values.length} + 1]`

const BROWSERS = ["Chrome", "Chrome", "Chrome", "Safari", "Safari", "Firefox", "Edge"]
const SYSTEMS = ["Mac OS X", "Windows", "Linux", "iOS", "Android"]
const PATHS = ["/", "/pricing", "/products", "/products/chair", "/products/table", "/cart", "/docs", "/blog", "/about"]
const DOMAINS = ["$direct", "www.google.com", "news.example", "www.facebook.com"]
const AGENT = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Safari/537.36"

const path = pick(PATHS, draw("number", 4))
const domain = pick(DOMAINS, "session")
const url = `concat('https://shop.example', ${path}, '?visit=', toString(session))`
const OWN = Array.from(
  { length: 22 },
  (_, at) => [`own_${at}`, `concat('value ', toString(${draw("number", at + 20)} % ${10 * (at + 1)}))`] as const,
)

/** 50 properties of an event by name, as SQL of their text: about 1.7 KB of JSON. */
const PROPERTIES: Readonly<Record<string, string>> = {
  $browser: pick(BROWSERS, "person"),
  $browser_version: "toString(100 + person % 40)",
  $browser_language: pick(["en-US", "de-DE", "cs-CZ"], "person"),
  $os: pick(SYSTEMS, "person"),
  $os_version: "toString(10 + person % 6)",
  $device_type: pick(["Desktop", "Desktop", "Mobile"], "person"),
  $timezone: pick(["Europe/Prague", "America/New_York"], "person"),
  $current_url: url,
  $host: "'shop.example'",
  $pathname: path,
  $referrer: `if(${domain} = '$direct', '$direct', concat('https://', ${domain}, '/'))`,
  $referring_domain: domain,
  utm_source: pick(["google", "newsletter", "facebook"], "session"),
  utm_medium: pick(["cpc", "email", "social"], "session"),
  utm_campaign: "concat('campaign ', toString(session % 40))",
  $screen_width: "toString(1200 + person % 800)",
  $screen_height: "toString(700 + person % 400)",
  $viewport_width: "toString(1000 + person % 700)",
  $viewport_height: "toString(600 + person % 300)",
  $lib: "'web'",
  $lib_version: "'1.449.2'",
  $geoip_country_code: pick(["US", "DE", "CZ", "FR"], "person"),
  $geoip_city_name: pick(["Boston", "Berlin", "Prague", "Paris"], "person"),
  $session_entry_url: "'https://shop.example/'",
  $session_entry_pathname: "'/'",
  $insert_id: `hex(${draw("number", 6)})`,
  $device_id: `concat('0198f7c0-0000-7000-8000-', leftPad(toString(person), 12, '0'))`,
  $raw_user_agent: `'${AGENT}'`,
  ...Object.fromEntries(OWN),
}

const json = `concat('{', ${Object.entries(PROPERTIES)
  .map(([name, sql], at) => `'${at === 0 ? "" : ","}"${name}":"', ${sql}, '"'`)
  .join(", ")}, '}')`

const PLAN = pick(["free", "free", "team", "scale"], "person")
const personUuid = `toUUID(concat('0198f7c0-0000-7000-8001-', leftPad(toString(person), 12, '0')))`
/** As many of the own properties as there are spare columns have one, which ingestion would have given them. */
const SPARES = OWN.slice(0, SPARE_COLUMN_COUNT)
const columns = [
  ...EVENT_PROPERTY_COLUMNS.map((name) => [toPropertyColumn(name), PROPERTIES[name] ?? "NULL"] as const),
  ...SPARES.map(([, sql], at) => [toSpareColumn(at + 1), sql] as const),
  [SPARE_COUNT_COLUMN, String(SPARES.length)] as const,
]

/** Sessions of ten events half a minute apart, one after the other over 29 days, with ids of the time they began at. */
const eventRows = (first: number, count: number, persons: number, total: number): string => `
  WITH intDiv(number, ${EVENTS_PER_SESSION}) AS session, session % ${persons} AS person,
    toUnixTimestamp64Milli(toDateTime64('${FIRST_DAY} 00:00:00', 3, 'UTC'))
      + intDiv(session * 2505600000 * ${EVENTS_PER_SESSION}, ${total}) + ${draw("session", 2)} % 600000 AS ms,
    lower(hex(toUInt64(ms))) AS began
  SELECT 1, toUUID(concat(substring(began, 1, 8), '-', substring(began, 9, 4), '-7000-8000-',
      leftPad(toString(number), 12, '0'))),
    ${pick(["$pageview", "$pageview", "$autocapture", "product viewed", "order placed"], "number")},
    concat('person-', toString(person)), ${json},
    fromUnixTimestamp64Milli(ms + (number % ${EVENTS_PER_SESSION}) * 30000, 'UTC') AS time, time, ${personUuid}, '{}',
    concat(substring(began, 1, 8), '-', substring(began, 9, 4), '-7000-8000-', leftPad(toString(session), 12, '0')),
    ${columns.map(([, sql]) => sql).join(", ")}
  FROM numbers(${first}, ${count})`

const TARGETS = `project_id, uuid, event, distinct_id, properties, timestamp, created_at, person_id, person_properties,
  \`$session_id\`, ${columns.map(([name]) => `\`${name}\``).join(", ")}`

/** What somebody would lay out by hand for the questions alone: plain columns, persons' properties beside, sessions. */
const BEST_LAYOUT = [
  `CREATE TABLE best ENGINE = MergeTree ORDER BY (event, time) AS
   SELECT toString(event) AS event, events.timestamp AS time, person_id, \`$session_id\` AS session,
     JSONExtractString(persons.properties, 'email') AS email, JSONExtractString(persons.properties, 'plan') AS plan,
     assumeNotNull(\`property_$browser\`) AS browser, assumeNotNull(\`property_$os\`) AS os,
     assumeNotNull(\`property_$current_url\`) AS url, assumeNotNull(\`property_$pathname\`) AS path,
     assumeNotNull(\`property_$referring_domain\`) AS domain, JSONExtractString(events.properties, 'own_3') AS own_3
   FROM events LEFT JOIN persons ON persons.id = events.person_id`,
  `CREATE TABLE best_sessions ENGINE = MergeTree ORDER BY began AS
   SELECT session, min(time) AS began, max(time) AS ended, argMin(path, time) AS entry_path,
     argMin(domain, time) AS channel, any(person_id) AS person_id, countIf(event = '$pageview') AS views
   FROM best GROUP BY session`,
]

/** Writes into PostgreSQL which own properties have which spare column. */
export async function giveSpares(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const names = SPARES.map(([name]) => name)
  await client.query(
    `INSERT INTO property_spare (project_id, spare, name, given_at)
     SELECT 1, number, name, now() FROM unnest($1::text[]) WITH ORDINALITY AS given (name, number)`,
    [names],
  )
  await client.end()
}

/** The same events and persons as PostgreSQL gets them, with indexes for events by name and time and for e-mails. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  {
    name: "events",
    columns: "event text, person_id uuid, timestamp timestamptz, session uuid, properties jsonb",
    rows: `SELECT toString(event), toString(person_id), toString(timestamp), \`$session_id\`, properties FROM events
      ORDER BY timestamp`,
    indexes: ["(event, timestamp) INCLUDE (person_id)", "(person_id)", "(session)"],
  },
  {
    name: "persons",
    columns: "id uuid PRIMARY KEY, properties jsonb",
    rows: "SELECT toString(id), properties FROM persons",
    indexes: ["((properties->>'email'))", "((properties->>'plan'))"],
  },
]

/** Stores `count` events and their persons; calls `onProgress` with how many events there are. */
export async function storeWideEvents(
  clickHouse: ClickHouse,
  count: number,
  onProgress: (stored: number) => void,
): Promise<void> {
  const persons = Math.max(1, Math.floor(count / EVENTS_PER_SESSION / SESSIONS_PER_PERSON))
  for (let first = 0; first < count; first += BLOCK) {
    const size = Math.min(BLOCK, count - first)
    await clickHouse.command({ sql: `INSERT INTO events (${TARGETS}) ${eventRows(first, size, persons, count)}` })
    onProgress(first + size)
  }
  const ids = `SELECT 1, concat('person-', toString(number)), ${personUuid}, false, 1`
  await clickHouse.command({
    sql: `INSERT INTO person_distinct_ids ${ids} FROM (SELECT number, number AS person FROM numbers(${persons}))`,
  })
  await clickHouse.command({
    sql: `INSERT INTO persons (project_id, id, created_at, properties, is_identified, is_deleted, version)
      SELECT 1, ${personUuid}, toDateTime64('${FIRST_DAY} 00:00:00', 6, 'UTC'),
        concat('{"email":"user', toString(person), '@example.com","plan":"', ${PLAN}, '"}'), true, false, 1
      FROM (SELECT number AS person FROM numbers(${persons}))`,
  })
  await mergeParts(clickHouse, ["events", "persons", "session_rollup"])
}

/** Lays the stored events and persons out by hand, for SQL by hand. */
export async function storeBestLayout(clickHouse: ClickHouse): Promise<void> {
  for (const sql of BEST_LAYOUT) await clickHouse.command({ sql })
  await mergeParts(clickHouse, ["best"])
}

async function mergeParts(clickHouse: ClickHouse, tables: readonly string[]): Promise<void> {
  for (const table of tables) await clickHouse.command({ sql: `OPTIMIZE TABLE ${table} FINAL` })
}
