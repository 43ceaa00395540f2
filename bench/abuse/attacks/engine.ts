import type { Attack } from "../attack.types.js"
import type { Attacker } from "../attacker.js"

const hogql = (query: string): object => ({ kind: "HogQLQuery", query })

/** Sorts what does not fit into a query's memory, and hands out one row of it. */
const sort = (index: number): string =>
  `SELECT number, ${index} FROM numbers(400000000) ORDER BY sipHash64(number, ${index}) LIMIT 1 OFFSET 399000000`
const group = (index: number): string =>
  `SELECT count() FROM (SELECT sipHash64(number, ${index}) AS h, max(toString(number)) AS m FROM numbers(400000000) GROUP BY h)`
const join = (index: number): string =>
  `SELECT count() FROM numbers(300000000) AS a JOIN (SELECT number + ${index} AS n, sipHash64(number) AS h FROM numbers(300000000)) AS b ON a.number = b.n WHERE b.h % 3 = 1`

/** Half of them blocking and half in the background. */
const askBoth = (attacker: Attacker, signal: AbortSignal, parallel: number, sqlOf: (index: number) => string) =>
  attacker.repeat(parallel, signal, async (index) => {
    if (index % 2 === 0) return attacker.query(sqlOf(index), signal)
    await attacker.sendOwn("query/", { query: hogql(sqlOf(index)), refresh: "force_async" }, signal)
    return attacker.rest(1_000, signal)
  })

/** About as many as a text of 100,000 characters and 20,000 words and signs holds twice. */
const LONG_TEXT_TERMS = 1_950

const trend = (index: number): object => ({
  kind: "TrendsQuery",
  dateRange: { date_from: `-${30 + index}d` },
  series: [{ kind: "EventsNode", event: "report viewed" }],
  breakdownFilter: {
    breakdowns: ["seconds", "size"].map((property) => ({ type: "event", property, histogram_bin_count: 10 })),
  },
})

/** Queries that take the engine's memory, disk, queue or answers. */
export const ENGINE_ATTACKS: readonly Attack[] = [
  {
    name: "disk-sort",
    needs: "personal key",
    what: "Six clients sort 400 million made-up rows, half of them in the background.",
    run: (attacker, signal) => askBoth(attacker, signal, 6, sort),
  },
  {
    name: "disk-group",
    needs: "personal key",
    what: "Six clients group 400 million made-up rows by as many keys, half of them in the background.",
    run: (attacker, signal) => askBoth(attacker, signal, 6, group),
  },
  {
    name: "large-joins",
    needs: "personal key",
    what: "Six clients join 300 million made-up rows with as many, half of them in the background.",
    run: (attacker, signal) => askBoth(attacker, signal, 6, join),
  },
  {
    name: "hungry-aggregates",
    needs: "personal key",
    what: "Six clients collect hundreds of millions of numbers into one array or set.",
    run: (attacker, signal) =>
      askBoth(attacker, signal, 6, (index) =>
        index % 4 < 2
          ? `SELECT length(groupArray(sipHash64(number, ${index}))) FROM numbers(1000000000)`
          : `SELECT uniqExact(sipHash64(number, ${index})) FROM numbers(1000000000)`,
      ),
  },
  {
    name: "large-results",
    needs: "personal key",
    what: "Three clients ask for answers of 195 MB that are sent whole.",
    run: (attacker, signal) =>
      attacker.repeat(3, signal, (index) =>
        attacker.query(`SELECT repeat(toString(number % 10), 3900), ${index} FROM numbers(50000) LIMIT 50000`, signal),
      ),
  },
  {
    name: "query-queue",
    needs: "personal key",
    what: "400 clients wait for queries of about a second each.",
    run: (attacker, signal) =>
      attacker.repeat(400, signal, async (index) => {
        const answer = await attacker.query(`SELECT sum(sipHash64(number, ${index})) FROM numbers(200000000)`, signal)
        if (answer?.status !== 200) await attacker.rest(1_000, signal)
      }),
  },
  {
    name: "background-queue",
    needs: "personal key",
    what: "16 clients start endless queries in the background as fast as they are taken.",
    run: (attacker, signal) =>
      attacker.repeat(16, signal, (index) =>
        attacker.sendOwn(
          "query/",
          {
            query: hogql(`SELECT sum(sipHash64(number, ${index})) FROM numbers(100000000000)`),
            refresh: "force_async",
          },
          signal,
        ),
      ),
  },
  {
    name: "long-hogql",
    needs: "personal key",
    what: "Four clients send HogQL that is as long as it may be: 20,000 words and signs in two lists of calls.",
    run: (attacker, signal) => {
      const terms = Array.from({ length: LONG_TEXT_TERMS }, (_, index) => `toString(${index})`).join(",")
      return attacker.repeat(4, signal, (index) =>
        attacker.query(`SELECT ${index} + length([${terms}]) FROM numbers(1) WHERE '1' IN (${terms})`, signal),
      )
    },
  },
  {
    name: "binned-trends",
    needs: "personal key",
    what: "Four clients ask for trends told apart by two properties in bins.",
    prepare: (attacker) =>
      attacker.store(
        Array.from({ length: 5_000 }, (_, index) => ({
          event: "report viewed",
          distinct_id: `person-${index % 50}`,
          properties: { seconds: index % 700, size: (index * 7) % 900 },
        })),
      ),
    run: (attacker, signal) =>
      attacker.repeat(4, signal, (index) =>
        attacker.sendOwn("query/", { query: trend(index % 300), refresh: "force_blocking" }, signal),
      ),
  },
]
