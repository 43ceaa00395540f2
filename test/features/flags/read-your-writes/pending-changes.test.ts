import { describe, expect, test } from "@jest/globals"
import {
  applyPending,
  applyPendingGroups,
  applyPendingGroupTypes,
} from "../../../../src/features/flags/read-your-writes/apply-pending.js"
import { createPendingChanges } from "../../../../src/features/flags/read-your-writes/pending-changes.js"
import type { ProjectFacts } from "../../../../src/features/persons/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const PROJECT = asProjectId(1)
const NOTHING: ProjectFacts = { persons: [], distinctIds: [], personlessDistinctIds: [], groupTypes: [], groups: [] }

const event = (distinctId: string, properties: JsonObject, name = "seen") => ({
  uuid: `${distinctId}-${JSON.stringify(properties)}`,
  event: name,
  distinctId,
  properties,
  timestamp: "2026-03-01T12:00:00.000Z",
})

const record = (
  pending: ReturnType<typeof createPendingChanges>,
  rowId: string,
  ...events: ReturnType<typeof event>[]
) => pending.record({ projectId: PROJECT, receivedAtMs: 0, historicalMigration: false, events }, rowId)

const seenBy = (pending: ReturnType<typeof createPendingChanges>, distinctId: string) =>
  applyPending(
    PROJECT,
    NOTHING,
    pending.eventsOf(PROJECT, [distinctId]).map((one) => one.event),
    distinctId,
  )?.properties

describe("changes of persons that are acknowledged and not yet stored", () => {
  test("are applied by ingestion's own rules, in order of arrival", () => {
    const pending = createPendingChanges()
    record(
      pending,
      "9",
      event("u", { $set: { plan: "free", old: 1 } }),
      event("u", { $set_once: { plan: "no", first: 1 } }),
    )
    record(pending, "10", event("u", { $set: { plan: "team" }, $unset: ["old"] }))
    expect(seenBy(pending, "u")).toMatchObject({ plan: "team", first: 1 })
    expect(seenBy(pending, "u")).not.toHaveProperty("old")
    expect(seenBy(pending, "somebody else")).toBeUndefined()
  })

  test("of an anonymous id are seen by the person it was joined to", () => {
    const pending = createPendingChanges()
    record(pending, "1", event("anonymous-1", { $set: { source: "advert" } }))
    record(pending, "2", event("ada", { $anon_distinct_id: "anonymous-1", $set: { plan: "team" } }, "$identify"))
    expect(seenBy(pending, "ada")).toMatchObject({ source: "advert", plan: "team" })
    expect(seenBy(pending, "anonymous-1")).toMatchObject({ source: "advert", plan: "team" })
  })

  test("do not connect persons who gave the same placeholder for who they were before", () => {
    const pending = createPendingChanges()
    const login = (id: string, before: string) =>
      event(id, { $anon_distinct_id: before, $set: { name: id } }, "$identify")
    for (const before of ["$posthog_cookieless", "undefined"]) {
      record(pending, "1", login(`ada ${before}`, before), login(`bob ${before}`, before), login(before, "carl"))
      const about = pending.eventsOf(PROJECT, [`ada ${before}`]).map(({ event: { distinctId } }) => distinctId)
      expect(about).toEqual([`ada ${before}`])
    }
    expect(pending.eventsOf(PROJECT, ["carl"])).toEqual([])
  })

  test("tell which places new group types will get, in the order in which they arrived", () => {
    const pending = createPendingChanges()
    const group = ($group_type: string) => event("", { $group_type, $group_key: "k", $group_set: {} }, "$groupidentify")
    record(pending, "2", group("team"), group("company"))
    record(pending, "1", group("shop"))
    record(pending, "3", event("u", { $set: { plan: "team" } }))
    const facts = { ...NOTHING, groupTypes: [{ name: "company", typeIndex: 0 }] }
    const typesFor = (...names: string[]) => {
      const events = pending.eventsOfGroupTypes(PROJECT, names).map((one) => one.event)
      return Object.fromEntries(applyPendingGroupTypes(PROJECT, facts, events))
    }
    expect(typesFor("unheard of")).toEqual({ company: 0 })
    expect(typesFor("unheard of", "team")).toEqual({ company: 0, shop: 1, team: 2 })
    pending.forgetStored(new Set(["1", "2"]))
    pending.forgetStored(new Set(["1", "2"]))
    expect(pending.eventsOfGroupTypes(PROJECT, ["team"])).toEqual([])
  })

  test("tell also of group types that events merely belong to, which take their places all the same", () => {
    const pending = createPendingChanges()
    const bought = (properties: JsonObject) => event("u", properties, "bought")
    const places = (facts = NOTHING) => {
      const events = pending.eventsOfGroupTypes(PROJECT, ["shop"]).map((one) => one.event)
      return Object.fromEntries(applyPendingGroupTypes(PROJECT, facts, events))
    }
    record(pending, "1", bought({ $groups: { ignored: "k" }, $process_person_profile: false }))
    record(pending, "3", bought({ $groups: { team: "t", empty: "", odd: {} } }), bought({ $groups: { team: "t2" } }))
    record(pending, "4", event("", { $group_type: "shop", $group_key: "s" }, "$groupidentify"))
    record(pending, "2", bought({ $groups: { region: "north", team: "t" } }))
    expect(places()).toEqual({ region: 0, team: 1, shop: 2 })
    expect(pending.eventsOf(PROJECT, ["u"])).toEqual([])
    for (let time = 0; time < 2; time++) pending.forgetStored(new Set(["2", "3", "4"]))
    record(pending, "5", bought({ $groups: { team: "t" } }))
    expect(pending.rowIds()).toEqual([])
  })

  test("are as few as there are places for types, however many are made up", () => {
    const pending = createPendingChanges()
    const made = Object.fromEntries(Array.from({ length: 1_000 }, (_unused, at) => [`type-${at}`, "k"]))
    for (let row = 0; row < 100; row++)
      record(pending, `${row}`, event("u", { $groups: { ...made, [`own-${row}`]: "k" } }))
    expect(pending.rowIds()).toEqual(["0"])
    expect(
      pending.findRelevantEvents(PROJECT, [event("u", { $groups: { another: "k" }, large: "x".repeat(1000) })]),
    ).toEqual([])
  })

  test("are, of an event that only names a new group type, no more than that", () => {
    const pending = createPendingChanges()
    const changing = event("u", { $set: { plan: "team" }, $groups: { team: "t" } })
    const naming = event("u", { page: "/", $groups: { team: "t" } })
    expect(pending.findRelevantEvents(PROJECT, [changing, naming, event("u", { page: "/" })])).toEqual([
      changing,
      { ...naming, properties: { $groups: { team: "t" } } },
    ])
  })

  test("are forgotten from the oldest on when they are larger together than may be kept", () => {
    const pending = createPendingChanges(1_000, 10_000)
    const large = "x".repeat(4_000)
    for (const row of ["1", "2", "3"]) record(pending, row, event(`u${row}`, { $set: { large } }))
    expect(seenBy(pending, "u1")).toBeUndefined()
    expect(seenBy(pending, "u2")).toMatchObject({ large })
    expect(seenBy(pending, "u3")).toMatchObject({ large })
    record(pending, "4", event("u4", { $set: { nested: [{ larger: "x".repeat(20_000) }] } }))
    expect(pending.rowIds()).toEqual([])
    record(pending, "5", event("u5", { $set: { large } }))
    expect(seenBy(pending, "u5")).toMatchObject({ large })
  })

  test("are forgotten once their rows were found stored twice, and the oldest when there are too many", () => {
    const pending = createPendingChanges(2)
    record(pending, "1", event("a", { $set: { n: 1 } }))
    record(pending, "2", event("b", { $set: { n: 2 } }))
    record(pending, "3", event("c", { $set: { n: 3 } }))
    expect(pending.rowIds()).toEqual(["2", "3"])
    pending.forgetStored(new Set(["2"]))
    expect(pending.rowIds()).toEqual(["2", "3"])
    pending.forgetStored(new Set(["2", "3"]))
    expect(pending.rowIds()).toEqual(["3"])
    pending.forgetStored(new Set(["3"]))
    expect([pending.rowIds(), pending.concerns(PROJECT)]).toEqual([[], false])
  })

  test("of a request that has more of them than may be kept are its last ones", () => {
    const pending = createPendingChanges(2)
    record(pending, "1", event("before", { $set: { n: 0 } }))
    record(pending, "2", ...["a", "b", "c", "d"].map((id) => event(id, { $set: { id } })))
    expect(["before", "a", "b", "c", "d"].filter((id) => seenBy(pending, id) !== undefined)).toEqual(["c", "d"])
  })

  test("of another project, of an import of old events and of events that say nothing of a person are none", () => {
    const pending = createPendingChanges()
    record(pending, "1", event("u", { page: "/" }))
    const events = [event("u", { $set: { plan: "team" } })]
    pending.record({ projectId: PROJECT, receivedAtMs: 0, historicalMigration: true, events }, "2")
    pending.record({ projectId: asProjectId(2), receivedAtMs: 0, historicalMigration: false, events }, "3")
    expect(pending.eventsOf(PROJECT, ["u"])).toEqual([])
  })
})

describe("changes of groups that are acknowledged and not yet stored", () => {
  const stored: ProjectFacts = {
    ...NOTHING,
    groupTypes: [{ name: "company", typeIndex: 2 }],
    groups: [{ typeIndex: 2, key: "acme", properties: { tier: "free", since: 2020 }, createdAtMs: 0, version: 1 }],
  }
  const identify = (key: string, set: JsonObject, type = "company", name = "$groupidentify") =>
    event(`$${type}_${key}`, { $group_type: type, $group_key: key, $group_set: set }, name)
  const seen = (pending: ReturnType<typeof createPendingChanges>, ...groups: { typeName: string; key: string }[]) => {
    const events = pending.groupEventsOf(PROJECT, groups).map((one) => one.event)
    const asked = groups.map((group) => ({ ...group, groupTypeIndex: group.typeName === "company" ? 2 : 4 }))
    return Object.fromEntries(applyPendingGroups(PROJECT, stored, events, asked))
  }

  test("are applied over what is stored, in order of arrival, in either spelling of the event", () => {
    const pending = createPendingChanges()
    record(pending, "2", identify("acme", { tier: "gold" }))
    record(pending, "10", identify("acme", { seats: 5 }, "company", "$group_identify"), identify("new", { tier: "a" }))
    expect(seen(pending, { typeName: "company", key: "acme" })).toEqual({ 2: { tier: "gold", since: 2020, seats: 5 } })
    expect(seen(pending, { typeName: "company", key: "new" })).toEqual({ 2: { tier: "a" } })
    expect(seen(pending, { typeName: "company", key: "nobody" })).toEqual({})
  })

  test("belong to one group of one type, and never to a person of the same name", () => {
    const pending = createPendingChanges()
    record(pending, "1", identify("acme", { tier: "gold" }, "team"), event("acme", { $set: { tier: "person" } }))
    expect(seen(pending, { typeName: "company", key: "acme" })).toEqual({ 2: { tier: "free", since: 2020 } })
    expect(seen(pending, { typeName: "team", key: "acme" })).toEqual({ 4: { tier: "gold" } })
    expect(seen(pending, { typeName: "shop", key: "acme" })).toEqual({})
    expect(pending.eventsOf(PROJECT, ["$team_acme"])).toEqual([])
  })

  test("without a type or a key are none", () => {
    const pending = createPendingChanges()
    record(pending, "1", event("u", { $group_set: { tier: "gold" } }, "$groupidentify"))
    expect([pending.rowIds(), pending.concerns(PROJECT)]).toEqual([[], false])
  })
})
