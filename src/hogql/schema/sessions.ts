import { defineSessions } from "./define-sessions.js"
import { RECOUNTED_SESSIONS } from "./recounted-sessions.js"

/** An element of a stored tuple. With FINAL, `r.entry.uuid` would read one that is not merged. */
const element = (tuple: string, name: string): string => `tupleElement(r.${tuple}, '${name}')`

/**
 * Sessions, from the rows that `migrations/clickhouse/0007_session_rollup.sql` keeps of them: several of each until the
 * engine has merged them, which FINAL does while reading.
 */
export const SESSIONS = defineSessions({
  stored: "session_rollup",
  isFinal: true,
  timesOfRow: ["$start_timestamp", "$end_timestamp"],
  recounted: RECOUNTED_SESSIONS,
  sessionId: "r.session_id",
  teamId: "r.project_id",
  distinctId: element("first", "distinct_id"),
  start: element("first", "at"),
  // Else it has the type of the stored column, which no client knows.
  end: "toDateTime64(r.last_at, 6, 'UTC')",
  pageviews: "length(r.pageviews)",
  autocaptures: "length(r.autocaptures)",
  screens: "length(r.screens)",
  hasAutocapture: "r.has_autocapture",
  // The first page is earlier than the last one exactly then, but asking for these merges all that is kept of both.
  hasManyPages: "(length(r.pageviews) + length(r.screens) > 1)",
  urls: "arraySort(r.urls)",
  entry: (toSql) => toSql((name) => element("entry", name)),
  exit: (toSql) => toSql((name) => element("exit", name)),
  externalClick: element("external_click", "url"),
})
