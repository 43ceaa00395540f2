import { afterAll, describe, expect, test } from "@jest/globals"
import { DELETION_CRASH_POINTS } from "../../src/kernel/crash-points.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"

const PERSONS = "/api/environments/@current/persons"

const directory = copyOfTemplate("server")
let server: WaymarkProcess | null = null
afterAll(async () => {
  await server?.stop()
  directory.remove()
})

interface PersonList {
  readonly results: readonly { readonly id: string; readonly properties: Record<string, unknown> }[]
}

const personsOf = async (api: WaymarkApi, distinctId: string) =>
  (await api.get<PersonList>(`${PERSONS}/?distinct_id=${distinctId}`)).body.results

/** Two people with events, one of them under two ids and in a static cohort. */
async function sendPeople(api: WaymarkApi, life: number): Promise<{ gone: string; cohortId: number }> {
  const identify = { $anon_distinct_id: `anon-${life}`, $set: { plan: "old" } }
  await api.capture({ event: "browsed", distinct_id: `anon-${life}` })
  await api.capture({ event: "$identify", distinct_id: `gone-${life}`, properties: identify })
  await api.capture({ event: "bought", distinct_id: `gone-${life}` })
  await api.capture({ event: "bought", distinct_id: `stays-${life}` })
  await api.drained()
  const { createCohort } = await api.changed<{ createCohort: { id: number } }>(
    'mutation { createCohort(input: { isStatic: true, name: "c" }) { cohort { id: number } userErrors { message } } }',
  )
  const cohortId = createCohort.id
  const distinctIds = [`gone-${life}`, `stays-${life}`]
  await api.changed(
    `mutation ($id: ID!, $ids: [String!]!) {
      addCohortMembers(input: { id: $id, distinctIds: $ids }) { memberCount userErrors { message } } }`,
    {
      id: cohortId,
      ids: distinctIds,
    },
  )
  const [person] = await personsOf(api, `gone-${life}`)
  if (person === undefined) throw new Error("nobody was made")
  return { gone: person.id, cohortId }
}

describe("a server that dies in the deletion of a person with events", () => {
  test.each(DELETION_CRASH_POINTS)(
    "%s deletes all of it after the restart, nothing else, and a later event starts a fresh person",
    async (point) => {
      const life = DELETION_CRASH_POINTS.indexOf(point)
      server = new WaymarkProcess(directory.path, { WAYMARK_CRASH_AT: point })
      const dying = new WaymarkApi(await server.ready())
      const { gone, cohortId } = await sendPeople(dying, life)
      await expect(dying.request("DELETE", `${PERSONS}/${gone}/?delete_events=true`)).rejects.toThrow()
      expect((await server.ended).signal).toBe("SIGKILL")

      server = new WaymarkProcess(directory.path)
      const api = new WaymarkApi(await server.ready())
      expect(await personsOf(api, `gone-${life}`)).toEqual([])
      const ids = `('gone-${life}', 'anon-${life}')`
      await waitFor("the events to go", async () => {
        const [row] = await api.hogql(`SELECT count() FROM events WHERE distinct_id IN ${ids} OR person_id = '${gone}'`)
        return row?.[0] === 0
      })
      await waitFor("the cohort to lose its member", async () => {
        const rows = await api.hogql(`SELECT count() FROM static_cohort_people WHERE cohort_id = ${cohortId}`)
        return rows[0]?.[0] === 1
      })
      expect(await api.hogql(`SELECT count() FROM persons WHERE id = '${gone}'`)).toEqual([[0]])
      expect(await api.hogql(`SELECT event FROM events WHERE distinct_id = 'stays-${life}'`)).toEqual([["bought"]])

      await api.capture({ event: "back", distinct_id: `gone-${life}`, properties: { $set: { plan: "new" } } })
      await api.drained()
      const fresh = await personsOf(api, `gone-${life}`)
      expect(fresh).toMatchObject([{ properties: { plan: "new" } }])
      expect(
        await api.hogql(`SELECT event, person.properties.plan FROM events WHERE distinct_id = 'gone-${life}'`),
      ).toEqual([["back", "new"]])
      expect(await personsOf(api, `anon-${life}`)).toEqual([])
      await server.stop()
    },
    90_000,
  )
})
