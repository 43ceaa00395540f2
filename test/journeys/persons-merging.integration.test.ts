import { describe, expect, test } from "@jest/globals"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PROJECT_KEY } from "../support/waymark-process.js"
import { wholeDecision } from "../support/whole-decision.js"

const { api } = ownServer()

/** Sends events one after the other, each stored before the next one is sent. */
async function send(...events: [event: string, distinctId: string, properties?: object, timestamp?: string][]) {
  for (const [event, distinct_id, properties = {}, timestamp] of events) {
    const answer = await api.capture({ event, distinct_id, properties, ...(timestamp && { timestamp }) })
    expect(answer.status).toBe(200)
    await api.drained()
  }
}

interface PersonBody {
  readonly id: string
  readonly distinctIds: string[]
  readonly properties: Record<string, unknown>
  readonly isIdentified: boolean
}

const personOf = async (distinctId: string): Promise<PersonBody | null> =>
  (
    await api.graphql<{ person: PersonBody | null }>(
      `query ($distinctId: String!) {
        person(by: { distinctId: $distinctId }) { id: uuid distinctIds properties isIdentified } }`,
      { distinctId },
    )
  ).person

/** Event name, person and one person property of all events of some ids, as queries see them. */
const seen = (property: string, ...distinctIds: string[]) =>
  api.hogql<[string, string, unknown]>(
    `SELECT event, toString(person_id), person.properties.${property} FROM events
      WHERE distinct_id IN (${distinctIds.map((id) => `'${id}'`).join()}) ORDER BY timestamp, event`,
  )

async function expectOnePerson(distinctIds: string[], property: string, value: unknown): Promise<void> {
  const person = await personOf(distinctIds[0] ?? "")
  expect([...(person?.distinctIds ?? [])].sort()).toEqual([...distinctIds].sort())
  const events = await seen(property, ...distinctIds)
  expect(events.length).toBeGreaterThan(0)
  expect(events.map(([, personId, shown]) => [personId, shown])).toEqual(events.map(() => [person?.id, value]))
}

const reasons = async (): Promise<string[]> =>
  (
    await api.graphql<{ ingestionWarnings: { nodes: { reason: string }[] } }>(
      "{ ingestionWarnings { nodes { reason } } }",
    )
  ).ingestionWarnings.nodes.map(({ reason }) => reason)

describe("events of one person, as queries see them:", () => {
  test("those before and after an $identify, also late ones of the anonymous id, belong to the identified person", async () => {
    await send(
      ["landed", "anon-1"],
      ["$identify", "ada", { $anon_distinct_id: "anon-1", $set: { plan: "pro" } }],
      ["bought", "ada"],
      ["late", "anon-1"],
    )
    await expectOnePerson(["ada", "anon-1"], "plan", "pro")
  })

  test("an $identify of an id that has events of its own already brings both together", async () => {
    await send(
      ["landed", "anon-2"],
      ["imported", "bea", { $set: { plan: "free" } }],
      ["$identify", "bea", { $anon_distinct_id: "anon-2" }],
      ["late", "anon-2"],
    )
    await expectOnePerson(["bea", "anon-2"], "plan", "free")
  })

  test("events without a profile join the person that the id gets later", async () => {
    await send(
      ["quiet", "anon-3", { $process_person_profile: false, $set: { plan: "never" } }],
      ["$identify", "cem", { $anon_distinct_id: "anon-3", $set: { plan: "team" } }],
      ["quiet late", "anon-3", { $process_person_profile: false }],
    )
    await expectOnePerson(["cem", "anon-3"], "plan", "team")
  })

  test.each([
    ["the alias is known", "dan", "dan-device", [["known", "dan-device", { $set: { plan: "a" } }]]],
    ["the id is known", "eli", "eli-device", [["known", "eli", { $set: { plan: "a" } }]]],
    ["neither is known", "fay", "fay-device", []],
    [
      "both are known",
      "gil",
      "gil-device",
      [
        ["known", "gil", { $set: { plan: "b" } }],
        ["known", "gil-device", { $set: { plan: "a" } }],
      ],
    ],
  ] as [string, string, string, [string, string, object][]][])(
    "$create_alias joins two ids when %s",
    async (_what, distinctId, alias, before) => {
      await send(...before, ["$create_alias", distinctId, { alias }], ["$set", alias, { $set: { plan: "a" } }])
      await expectOnePerson([distinctId, alias], "plan", "a")
      expect((await personOf(alias))?.isIdentified).toBe(true)
    },
  )

  test("the alias is the main id: where both have a property, its value stays", async () => {
    await send(
      ["known", "hal", { $set: { plan: "of the id", only: 1 } }],
      ["known", "hal-main", { $set: { plan: "of the alias" } }],
    )
    const main = await personOf("hal-main")
    await send(["$create_alias", "hal", { alias: "hal-main" }])
    expect(await personOf("hal")).toMatchObject({ id: main?.id, properties: { plan: "of the alias", only: 1 } })
  })

  test("an identified person survives an alias to an anonymous one", async () => {
    await send(
      ["$identify", "ivy", { $anon_distinct_id: "anon-ivy", $set: { plan: "pro" } }],
      ["known", "ivy-new", { $set: { plan: "free" } }],
    )
    const identified = await personOf("ivy")
    await send(["$create_alias", "ivy", { alias: "ivy-new" }])
    expect((await personOf("ivy-new"))?.id).toBe(identified?.id)
    await expectOnePerson(["ivy", "anon-ivy", "ivy-new"], "plan", "pro")
  })

  test("two identified persons stay apart, with a warning, until somebody merges them on purpose", async () => {
    await send(
      ["$identify", "jo", { $anon_distinct_id: "anon-jo", $set: { plan: "one" } }],
      ["$identify", "kim", { $anon_distinct_id: "anon-kim", $set: { plan: "two" } }],
      ["$identify", "jo", { $anon_distinct_id: "kim" }],
      ["$create_alias", "jo", { alias: "kim" }],
    )
    expect((await personOf("jo"))?.id).not.toBe((await personOf("kim"))?.id)
    expect(await reasons()).toContain("CANNOT_MERGE_ALREADY_IDENTIFIED")
    await send(["$merge_dangerously", "jo", { alias: "kim" }])
    await expectOnePerson(["jo", "anon-jo", "kim", "anon-kim"], "plan", "one")
  })

  test("placeholders are never merged", async () => {
    await send(["$identify", "lea", { $anon_distinct_id: "undefined" }], ["$create_alias", "null", { alias: "lea" }])
    expect((await personOf("lea"))?.distinctIds).toEqual(["lea"])
    expect(await reasons()).toContain("CANNOT_MERGE_WITH_ILLEGAL_DISTINCT_ID")
  })
})

describe("properties of a person", () => {
  test("follow $set, $set_once and $unset in every form", async () => {
    await send(
      ["$set", "mia", { $set: { plan: "free", color: "red", old: 1, older: 2 }, $set_once: { first: "a" } }],
      ["seen", "mia", { $set: { plan: "pro" }, $set_once: { first: "b" } }],
      ["$unset", "mia", { $unset: ["old"] }],
      ["seen again", "mia", { $unset: { older: true } }],
    )
    const properties = (await personOf("mia"))?.properties
    expect(properties).toMatchObject({ plan: "pro", color: "red", first: "a" })
    expect(properties).not.toHaveProperty("old")
    expect(properties).not.toHaveProperty("older")
    expect(
      await api.hogql(
        "SELECT person.properties.plan, person.properties.old FROM events WHERE event = 'seen' AND distinct_id = 'mia'",
      ),
    ).toEqual([["pro", null]])
  })

  test("count for an event without a profile only once the person is a minute old", async () => {
    const at = (second: number): string => new Date(Date.parse("2026-01-05T10:00:00Z") + second * 1000).toISOString()
    await send(
      ["$set", "nan", { $set: { plan: "pro" } }, at(0)],
      ["soon", "nan", { $process_person_profile: false }, at(30)],
      ["later", "nan", { $process_person_profile: false, $set: { plan: "never" } }, at(90)],
    )
    const person = await personOf("nan")
    expect(person?.properties).toMatchObject({ plan: "pro" })
    expect(
      await api.hogql(
        "SELECT event, toString(person_id), poe.properties.plan FROM events WHERE distinct_id = 'nan' AND event != '$set' ORDER BY event",
      ),
    ).toEqual([
      ["later", person?.id, "pro"],
      ["soon", person?.id, null],
    ])
  })
})

describe("a static cohort and its flag", () => {
  const flagFor = async (distinctId: string): Promise<unknown> =>
    (await wholeDecision(api, { api_key: PROJECT_KEY, distinct_id: distinctId })).featureFlags["for-members"]

  test("keep a member through a merge, and lose it by a deletion", async () => {
    await send(["$set", "ole", { $set: { plan: "pro" } }], ["$identify", "pia", { $anon_distinct_id: "anon-pia" }])
    const { createCohort } = await api.changed<{ createCohort: { id: number } }>(
      `mutation {
        createCohort(input: { isStatic: true, name: "Mitglieder" }) { cohort { id: number } userErrors { message } } }`,
    )
    const cohortId = createCohort.id
    expect(
      await api.changed(
        `mutation ($id: ID!) {
          addCohortMembers(input: { id: $id, distinctIds: ["ole"] }) { memberCount userErrors { message } } }`,
        { id: cohortId },
      ),
    ).toEqual({ addCohortMembers: 1 })
    const created = await api.post("/api/projects/@current/feature_flags/", {
      key: "for-members",
      active: true,
      filters: { groups: [{ properties: [{ key: "id", type: "cohort", value: cohortId }], rollout_percentage: 100 }] },
    })
    expect(created.status).toBe(201)
    await waitFor("the flag to be known", async () => (await flagFor("ole")) === true)
    expect(await flagFor("pia")).toBe(false)

    await send(["$merge_dangerously", "pia", { alias: "ole" }])
    expect([await flagFor("pia"), await flagFor("ole"), await flagFor("anon-pia")]).toEqual([true, true, true])

    const person = await personOf("pia")
    await api.changed("mutation ($id: ID!) { deletePerson(input: { id: $id }) { userErrors { message } } }", {
      id: person?.id,
    })
    await send(["$set", "pia", { $set: { plan: "new" } }])
    expect(await flagFor("pia")).toBe(false)
    expect((await personOf("pia"))?.properties).toMatchObject({ plan: "new" })
  })
})

describe("a static cohort in HogQL", () => {
  /** Ids of the members with events, in order; asked for in both ways that queries have. */
  async function membersIn(cohortId: number): Promise<string[]> {
    const ids = "arraySort(groupUniqArray(distinct_id))"
    const [[inCohort, listed] = []] = await api.hogql<string[][]>(
      `SELECT (SELECT ${ids} FROM events WHERE person_id IN COHORT ${cohortId}),
              (SELECT ${ids} FROM events WHERE person_id IN (SELECT person_id FROM static_cohort_people WHERE cohort_id = ${cohortId}))`,
    )
    expect(inCohort).toEqual(listed)
    return inCohort as string[]
  }
  const becomes = (cohortId: number, ids: string[]) =>
    waitFor(`the members to be ${ids.join(", ")}`, async () => (await membersIn(cohortId)).join() === ids.join())

  test("holds who was added, follows merges, and loses who was removed or deleted, and all with the cohort", async () => {
    await send(
      ["seen", "qi"],
      ["seen", "ria"],
      ["seen", "sam"],
      ["$identify", "tea", { $anon_distinct_id: "anon-tea" }],
    )
    const { createCohort } = await api.changed<{ createCohort: { id: number } }>(
      `mutation {
        createCohort(input: { isStatic: true, name: "Beirat" }) { cohort { id: number } userErrors { message } } }`,
    )
    const { id } = createCohort
    const change = (operation: string, distinctIds: string[]) =>
      api.changed(
        `mutation ($id: ID!, $distinctIds: [String!]!) {
          ${operation}(input: { id: $id, distinctIds: $distinctIds }) { memberCount userErrors { message } } }`,
        { id, distinctIds },
      )
    await change("addCohortMembers", ["qi", "ria", "sam"])
    await becomes(id, ["qi", "ria", "sam"])
    await change("removeCohortMembers", ["ria"])
    await becomes(id, ["qi", "sam"])

    await send(["$merge_dangerously", "tea", { alias: "sam" }])
    await becomes(id, ["qi", "sam", "tea"])
    const person = await personOf("qi")
    await api.changed("mutation ($id: ID!) { deletePerson(input: { id: $id }) { userErrors { message } } }", {
      id: person?.id,
    })
    await becomes(id, ["sam", "tea"])
    await api.changed(
      `mutation ($id: ID!) {
        updateCohort(input: { id: $id, deleted: true }) { cohort { id: number } userErrors { message } } }`,
      { id },
    )
    await waitFor("the list to be empty", async () => {
      const rows = await api.hogql(`SELECT count() FROM static_cohort_people WHERE cohort_id = ${id}`)
      return rows[0]?.[0] === 0
    })
    await expect(membersIn(id)).rejects.toThrow(`Could not find cohort with ID ${id}.`)
  })
})
