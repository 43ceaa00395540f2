import { defineSessions, MOST_URLS } from "./define-sessions.js"
import { RECOUNTED_SESSIONS } from "./recounted-sessions.js"

const ENTRY_KEY = "(r.entry.at, r.entry.uuid)"
const EXIT_KEY = "(r.exit.at, r.exit.uuid)"

/**
 * Sessions, one row each, from the rows that `migrations/clickhouse/0007_session_rollup.sql` keeps of them: several
 * until the engine has merged them.
 */
export const SESSIONS = defineSessions({
  stored: "session_rollup",
  timesOfRow: ["$start_timestamp", "$end_timestamp"],
  recounted: RECOUNTED_SESSIONS,
  sessionId: "r.session_id",
  distinctId: "argMin(r.first.distinct_id, (r.first.at, r.first.uuid))",
  start: "min(r.first.at)",
  // Else it has the type of the stored column, which no client knows.
  end: "toDateTime64(max(r.last_at), 6, 'UTC')",
  pageviews: "uniqExactArray(r.pageviews)",
  autocaptures: "uniqExactArray(r.autocaptures)",
  screens: "uniqExactArray(r.screens)",
  hasAutocapture: "max(r.has_autocapture)",
  // Without a page the first one is later than the last one; a single one is both.
  hasManyPages: `(min(${ENTRY_KEY}) < max(${EXIT_KEY}))`,
  urls: `arraySort(groupUniqArrayArray(${MOST_URLS})(r.urls))`,
  entry: (toSql) => `argMin(${toSql((name) => `r.entry.${name}`)}, ${ENTRY_KEY})`,
  exit: (toSql) => `argMax(${toSql((name) => `r.exit.${name}`)}, ${EXIT_KEY})`,
  externalClick: "argMax(r.external_click.url, (r.external_click.at, r.external_click.uuid))",
})
