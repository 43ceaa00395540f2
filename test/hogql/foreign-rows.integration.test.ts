import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile } from "../../src/hogql/index.js"
import { TestEngine } from "./support/engine.js"
import { emptyScope } from "./support/scope.js"

/**
 * Rows of small projects stand side by side in the engine's smallest unit of reading. A condition that fails on every row but
 * the project's own tells whether the engine asks it about rows of others, which would be a way to read them bit by bit.
 */
const OWN = "own"
const TIME = "2024-03-01T00:00:00Z"
const PERSON_ID = "0190d000-0000-7000-8000-00000000000a"
const OTHER_PERSON_ID = "0190d000-0000-7000-8000-00000000000b"
const failsUnless = (condition: string): string => `intDiv(1, if(${condition}, 1, 0)) = 1`

const TEXTS: readonly string[] = [
  "SELECT count() FROM events WHERE match('(', properties.$browser)",
  "SELECT count() FROM events WHERE properties.$os =~ '(' OR properties.$os IS NULL",
  ...["event", "distinct_id", "properties.name", "$session_id"].map(
    (name) => `SELECT count() FROM events WHERE ${failsUnless(`${name} = '${OWN}'`)}`,
  ),
  `SELECT count() FROM events WHERE ${failsUnless(`toString(uuid) = '${PERSON_ID}'`)} AND timestamp > '2020-01-01'`,
  `SELECT count() FROM events WHERE ${failsUnless(`person_id = '${PERSON_ID}'`)}`,
  `SELECT count() FROM events WHERE ${failsUnless(`person.properties.name = '${OWN}'`)}`,
  `SELECT count() FROM events AS e WHERE event = '${OWN}' AND ${failsUnless(`e.event = '${OWN}'`)}`,
  `SELECT count() FROM (SELECT event, count() AS n FROM events GROUP BY event) WHERE ${failsUnless(`event = '${OWN}'`)}`,
  `SELECT n FROM (SELECT event, count() AS n FROM events GROUP BY event HAVING ${failsUnless(`event = '${OWN}'`)})`,
  `SELECT count() FROM (SELECT event FROM events ORDER BY timestamp LIMIT 5) WHERE ${failsUnless(`event = '${OWN}'`)}`,
  `SELECT count() FROM events AS e JOIN events AS f ON e.uuid = f.uuid WHERE ${failsUnless(`e.event = '${OWN}' AND f.event = '${OWN}'`)}`,
  `SELECT count() FROM events AS e LEFT JOIN persons AS p ON e.person_id = p.id WHERE ${failsUnless(`e.event = '${OWN}'`)} AND ${failsUnless(`p.properties.name = '${OWN}'`)}`,
  `WITH all AS (SELECT * FROM events) SELECT count() FROM all WHERE ${failsUnless(`event = '${OWN}'`)}`,
  `SELECT count() FROM (SELECT event FROM events UNION ALL SELECT event FROM events WHERE false) WHERE ${failsUnless(`event = '${OWN}'`)}`,
  `SELECT max(${failsUnless(`event = '${OWN}'`)}) FROM events`,
  `SELECT countIf(${failsUnless(`event = '${OWN}'`)}) FROM events`,
  `SELECT count() FROM persons WHERE ${failsUnless(`properties.name = '${OWN}'`)}`,
  `SELECT count() FROM person_distinct_ids WHERE ${failsUnless(`distinct_id = '${OWN}'`)}`,
  `SELECT count() FROM groups WHERE ${failsUnless(`key = '${OWN}'`)}`,
  `SELECT count() FROM log_entries WHERE ${failsUnless(`message = '${OWN}'`)}`,
]

describe("a condition of a query", () => {
  let engine: TestEngine
  beforeAll(() => {
    engine = new TestEngine()
    const [own, other] = [
      { project_id: 1, name: OWN, id: PERSON_ID },
      { project_id: 2, name: "other", id: OTHER_PERSON_ID },
    ]
    const insert = (table: string, rowOf: (project: { name: string; id: string }) => Record<string, unknown>) =>
      engine.insert(
        table,
        [own, other].map((project) => ({ project_id: project.project_id, ...rowOf(project) })),
      )
    // Of the other project: a pattern that cannot be read, and a text that has to be compared with one.
    const propertiesOf = (name: string): string =>
      JSON.stringify(name === OWN ? { name, $browser: "[(]" } : { name, $browser: "(", $os: "" })
    insert("events", ({ name, id }) => ({
      uuid: id,
      event: name,
      distinct_id: name,
      properties: propertiesOf(name),
      timestamp: TIME,
      created_at: TIME,
      person_id: id,
      person_created_at: TIME,
      $session_id: name,
    }))
    insert("persons", ({ name, id }) => ({ id, properties: propertiesOf(name), created_at: TIME, version: 1 }))
    insert("person_distinct_ids", ({ name, id }) => ({ distinct_id: name, person_id: id, version: 1 }))
    insert("groups", ({ name }) => ({ group_type_index: 0, group_key: name, created_at: TIME, version: 1 }))
    insert("log_entries", ({ name }) => ({ log_source: "s", log_source_id: "1", timestamp: TIME, message: name }))
  })
  afterAll(() => engine.close())

  describe.each([
    ["keeps its subqueries", false],
    ["inlines its subqueries", true],
  ])("that %s", (_form, inlinesSubqueries) => {
    test.each(TEXTS)("is never asked about another project's row: %s", async (text) => {
      const { rows } = engine.run(await compile({ text }, { ...emptyScope, inlinesSubqueries }))
      expect(rows).toEqual([[1]])
    })
  })
})
