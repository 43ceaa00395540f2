import { parse } from "../../hogql/index.js"

/** Between them they reach most of the grammar, so that its code is compiled before anybody waits for it. */
const SAMPLES = [
  "SELECT event, count() AS c FROM events WHERE timestamp > now() - INTERVAL 7 DAY GROUP BY event ORDER BY c DESC LIMIT 10",
  "WITH days AS (SELECT toStartOfDay(timestamp) AS day, person_id FROM events) SELECT day, uniq(person_id) FROM days GROUP BY day",
  "SELECT properties.$browser, multiIf(1 = 1, 'a', 'b'), arrayMap(x -> x + 1, [1, 2]) FROM events WHERE event IN ('a', 'b') AND {filters}",
]

/** Parses a few texts, one after another with turns for other work between, so that the first query need not pay for it. */
export async function warmParser(): Promise<void> {
  for (const text of SAMPLES) {
    await new Promise<void>((resume) => setImmediate(resume))
    await parse(text)
  }
}
