import { toPropertyColumn } from "../../kernel/property-columns.js"
import type { ClickHouse, QueryParameters } from "../../platform/clickhouse/click-house.js"
import type { SessionRollup } from "./sessions.types.js"

/** What `session_rollup_fills` holds once no day is missing. */
export const ALL_DAYS = "all"

/** Properties that sessions are made of, which have a column. */
const PROPERTIES = [
  ..."$current_url $pathname $host $referring_domain $external_click_url".split(" "),
  ..."utm_source utm_medium utm_campaign utm_term utm_content gclid gad_source fbclid msclkid".split(" "),
]
const COLUMNS = [
  ..."project_id uuid event distinct_id properties timestamp".split(" "),
  ...PROPERTIES.map((name) => `\`${toPropertyColumn(name)}\``),
].join(", ")

/** Rows are handed on in the columns of `session_sources`, from which a view makes the rows of sessions. */
const REFILL = `INSERT INTO session_sources (${COLUMNS}, session_id, stored_at)
  SELECT ${COLUMNS}, \`$session_id\`, {storedAt}
    FROM events WHERE \`$session_id\` != '' AND `

/** When a refilled row counts as written: with its events, or now. */
export type WrittenAt = "inserted_at" | "now64(3)"

/**
 * The statement that hands events of a condition to the roll-up once more.
 * @param condition SQL over `events`.
 */
export const refillStatement = (condition: string, storedAt: WrittenAt): string =>
  `${REFILL.replace("{storedAt}", storedAt)}(${condition})`

/** The roll-up in ClickHouse, as `migrations/clickhouse/0008_session_rollup_columns.sql` fills it. */
export function createSessionRollup(clickHouse: Pick<ClickHouse, "rows" | "command">): SessionRollup {
  let isFilled = false
  return {
    async isFilled() {
      const sql = "SELECT day FROM session_rollup_fills WHERE day = {all:String} LIMIT 1"
      isFilled ||= (await clickHouse.rows({ sql, parameters: { all: ALL_DAYS } })).length > 0
      return isFilled
    },
    async refill(condition: string, parameters: QueryParameters) {
      await clickHouse.command({ sql: refillStatement(condition, "now64(3)"), parameters })
    },
  }
}
