import { describe, expect, test } from "@jest/globals"
import {
  derivePersonId,
  type KeptEvent,
  type PersonEvent,
  PersonWorkspace,
  type ProjectFacts,
} from "../../../../src/features/persons/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const PROJECT = asProjectId(1)
const NOW_MS = Date.parse("2025-06-01T12:00:00.000Z")
const NOTHING: ProjectFacts = {
  persons: [],
  distinctIds: [],
  personlessDistinctIds: [],
  groupTypes: [],
  groups: [],
}

let eventCount = 0
function event(name: string, distinctId: string, properties: JsonObject = {}, timestampMs = NOW_MS): PersonEvent {
  eventCount += 1
  const uuid = `0198f7c0-0000-7000-8000-${String(eventCount).padStart(12, "0")}`
  return { uuid, event: name, distinctId, properties, timestampMs, receivedAtMs: NOW_MS }
}
const anonymous = (distinctId: string, timestampMs = NOW_MS) =>
  event("$pageview", distinctId, { $process_person_profile: false }, timestampMs)
const identify = (distinctId: string, anonymousId: string) =>
  event("$identify", distinctId, { $anon_distinct_id: anonymousId })
const alias = (distinctId: string, aliasId: string) => event("$create_alias", distinctId, { alias: aliasId })

function kept(workspace: PersonWorkspace, given: PersonEvent): KeptEvent {
  const result = workspace.process(given)
  if (!result.kept) throw new Error("the event was dropped")
  return result
}

/** Runs events over facts and reads the changes back as facts, the way a store would. */
function factsAfter(facts: ProjectFacts, events: readonly PersonEvent[]): ProjectFacts {
  const workspace = new PersonWorkspace(PROJECT, facts)
  for (const given of events) workspace.process(given)
  const changes = workspace.takeChanges()
  const overlay = <T>(before: readonly T[], after: readonly T[], key: (row: T) => string): T[] => [
    ...new Map([...before, ...after].map((row) => [key(row), row])).values(),
  ]
  return {
    persons: overlay(facts.persons, changes.persons, ({ id }) => id),
    distinctIds: overlay(facts.distinctIds, changes.distinctIds, ({ distinctId }) => distinctId),
    personlessDistinctIds: [...facts.personlessDistinctIds, ...changes.personlessDistinctIds],
    groupTypes: [...facts.groupTypes, ...changes.groupTypes],
    groups: overlay(facts.groups, changes.groups, ({ typeIndex, key }) => `${typeIndex}:${key}`),
  }
}
const ownerOf = (facts: ProjectFacts, distinctId: string) =>
  facts.distinctIds.find((row) => row.distinctId === distinctId)
const living = (facts: ProjectFacts) => facts.persons.filter(({ isDeleted }) => !isDeleted)

describe("an anonymous person that is identified", () => {
  test("keeps the id under which its events without a profile were stored", () => {
    const facts = factsAfter(NOTHING, [anonymous("anon"), identify("user", "anon")])
    expect(living(facts).map(({ id }) => id)).toEqual([derivePersonId(PROJECT, "anon")])
    expect(ownerOf(facts, "anon")?.version).toBe(0)
    expect(ownerOf(facts, "user")?.version).toBe(0)
  })

  test("gets an override for the second id when both ids have events without a profile", () => {
    const facts = factsAfter(NOTHING, [anonymous("anon"), anonymous("user"), identify("user", "anon")])
    expect(living(facts).map(({ id }) => id)).toEqual([derivePersonId(PROJECT, "user")])
    expect(ownerOf(facts, "anon")).toMatchObject({ personId: derivePersonId(PROJECT, "user"), version: 1 })
    expect(ownerOf(facts, "user")?.version).toBe(0)
  })

  test("also owns events of the old id that arrive after the $identify", () => {
    const workspace = new PersonWorkspace(PROJECT, NOTHING)
    workspace.process(event("$pageview", "anon"))
    workspace.process(event("$pageview", "user"))
    workspace.process(identify("user", "anon"))
    expect(kept(workspace, event("$pageview", "anon")).person.id).toBe(derivePersonId(PROJECT, "user"))
    expect(kept(workspace, anonymous("anon")).person.id).toBe(derivePersonId(PROJECT, "user"))
  })
})

describe("an event without a profile for an id that has one", () => {
  test("is upgraded when it is more than a minute younger than the person", () => {
    const workspace = new PersonWorkspace(PROJECT, NOTHING)
    workspace.process(event("$set", "user", { $set: { plan: "pro" } }))
    const late = kept(workspace, anonymous("user", NOW_MS + 60_001))
    expect(late.personMode).toBe("force_upgrade")
    expect(JSON.parse(late.person.propertiesJson)).toMatchObject({ plan: "pro" })
    expect(late.properties).toEqual({ $process_person_profile: false })
  })

  test("carries the person's id but no properties within that minute", () => {
    const workspace = new PersonWorkspace(PROJECT, NOTHING)
    workspace.process(event("$set", "user", { $set: { plan: "pro" } }))
    const early = kept(workspace, anonymous("user", NOW_MS + 60_000))
    expect(early).toMatchObject({ personMode: "propertyless", person: { propertiesJson: "{}" } })
    expect(early.person.id).toBe(derivePersonId(PROJECT, "user"))
  })
})

describe("merging two persons", () => {
  const twoPersons = factsAfter(NOTHING, [event("$pageview", "a"), event("$pageview", "b"), event("$pageview", "a2")])

  test("moves every distinct id of the source with a higher version and leaves a tombstone", () => {
    const before = factsAfter(twoPersons, [identify("a", "a2")])
    const after = factsAfter(before, [event("$merge_dangerously", "b", { alias: "a" })])
    const b = derivePersonId(PROJECT, "b")
    expect(living(after).map(({ id }) => id)).toEqual([b])
    expect(ownerOf(after, "a")).toMatchObject({ personId: b, version: 1 })
    expect(ownerOf(after, "a2")).toMatchObject({ personId: b, version: 2 })
    const buried = after.persons.find(({ id }) => id === derivePersonId(PROJECT, "a"))
    expect(buried).toMatchObject({ isDeleted: true, properties: {} })
  })

  test("by $create_alias makes the alias the main id", () => {
    const after = factsAfter(twoPersons, [alias("a", "b")])
    expect(ownerOf(after, "a")?.personId).toBe(derivePersonId(PROJECT, "b"))
  })

  test("by $create_alias lets the only identified side survive", () => {
    const after = factsAfter(factsAfter(twoPersons, [identify("a", "other")]), [alias("a", "b")])
    expect(ownerOf(after, "b")?.personId).toBe(derivePersonId(PROJECT, "a"))
  })

  test("is refused between two identified persons, except by $merge_dangerously", () => {
    const before = factsAfter(twoPersons, [identify("a", "other-a"), identify("b", "other-b")])
    const refused = new PersonWorkspace(PROJECT, before).process(alias("a", "b"))
    expect(refused.warnings.map(({ type }) => type)).toEqual(["cannot_merge_already_identified"])
    const after = factsAfter(before, [event("$merge_dangerously", "a", { alias: "b" })])
    expect(ownerOf(after, "b")?.personId).toBe(derivePersonId(PROJECT, "a"))
  })

  test.each([{ id: 1 }, ["anon"], []])("never happens on %j, which is no id", (other) => {
    const mistaken = (distinctId: string) => [
      event("$identify", distinctId, { $anon_distinct_id: other }),
      event("$create_alias", distinctId, { alias: other }),
      event("$merge_dangerously", distinctId, { alias: other }),
    ]
    const workspace = new PersonWorkspace(PROJECT, NOTHING)
    const warnings = [...mistaken("ada"), ...mistaken("bob")].flatMap((given) => kept(workspace, given).warnings)
    expect(warnings.map(({ type }) => type)).toEqual(Array(6).fill("cannot_merge_with_illegal_distinct_id"))
    const { persons, distinctIds } = workspace.takeChanges()
    expect(persons.map(({ isIdentified }) => isIdentified)).toEqual([false, false])
    expect(distinctIds.map(({ distinctId }) => distinctId)).toEqual(["ada", "bob"])
  })

  test("on an id that is too long compares it cut like capture cuts it", () => {
    const long = "x".repeat(300)
    const after = factsAfter(factsAfter(NOTHING, [event("$pageview", long.slice(0, 200))]), [identify("user", long)])
    expect(living(after)).toHaveLength(1)
  })
})

// posthog-js 1.299.0 and 1.449.2 with `cookieless_mode: "always"`: these ids and properties.
describe("visitors without cookies, whose distinct id is one for all of them", () => {
  const everybody = "$posthog_cookieless"
  const login = (user: string) => [
    event("$pageview", everybody, { $cookieless_mode: true, $process_person_profile: false }),
    event("$identify", user, { $cookieless_mode: true, $anon_distinct_id: everybody, $set: { name: user } }),
  ]

  test("stay different persons when they log in", () => {
    const facts = factsAfter(NOTHING, ["ada", "bea"].flatMap(login))
    expect(living(facts).map(({ properties }) => properties.name)).toEqual(["ada", "bea"])
    expect(ownerOf(facts, everybody)).toBeUndefined()
    expect(ownerOf(facts, "ada")?.personId).not.toBe(ownerOf(facts, "bea")?.personId)
  })

  test("have no profile together, not even where all events ask for one or when they name their group", () => {
    const group = { $group_type: "company", $group_key: "acme", $group_set: { tier: "gold" } }
    const events = [
      event("$pageview", everybody, { $cookieless_mode: true, $set_once: { $initial_referrer: "x" } }),
      event("$groupidentify", everybody, { $cookieless_mode: true, $process_person_profile: true, ...group }),
    ]
    const facts = factsAfter(NOTHING, events)
    expect(living(facts)).toEqual([])
    expect(facts.groups).toMatchObject([{ key: "acme", properties: { tier: "gold" } }])
  })

  test("have no profile together either when one of them is given an alias", () => {
    const alias = event("$create_alias", everybody, { $cookieless_mode: true, alias: "ada" })
    const facts = factsAfter(NOTHING, [alias, event("$identify", everybody, { $anon_distinct_id: "bea" })])
    expect(living(facts)).toEqual([])
  })
})

describe("a distinct id whose person was deleted", () => {
  const before = factsAfter(NOTHING, [event("$pageview", "user"), event("$set", "user", { $set: { a: 1 } })])
  const deleted: ProjectFacts = {
    ...before,
    persons: before.persons.map((person) => ({ ...person, isDeleted: true, version: person.version + 100 })),
    distinctIds: before.distinctIds.map((row) => ({ ...row, personId: null, version: row.version + 100 })),
  }

  test("makes a person again whose versions outrank the tombstones", () => {
    const after = factsAfter(deleted, [event("$pageview", "user")])
    expect(living(after)).toMatchObject([{ id: derivePersonId(PROJECT, "user"), version: 102, isIdentified: false }])
    expect(ownerOf(after, "user")?.version).toBe(101)
  })

  test("may be merged into another person like a new id", () => {
    const after = factsAfter(deleted, [event("$pageview", "other"), identify("other", "user")])
    expect(ownerOf(after, "user")).toEqual({
      distinctId: "user",
      personId: derivePersonId(PROJECT, "other"),
      version: 101,
    })
  })
})

describe("a person's properties", () => {
  test("raise the version once per event that changes them", () => {
    const facts = factsAfter(NOTHING, [
      event("$set", "user", { $set: { a: 1 } }),
      event("$set", "user", { $set: { a: 1 } }),
      event("$set", "user", { $set: { a: 2, b: 3 } }),
      event("$unset", "user", { $unset: { b: "" } }),
    ])
    expect(living(facts)[0]).toMatchObject({ version: 2, properties: { a: 2 } })
    expect(living(facts)[0]?.properties).not.toHaveProperty("b")
  })

  test("that would be too large are not written, and a warning says so", () => {
    const workspace = new PersonWorkspace(PROJECT, factsAfter(NOTHING, [event("$set", "user", { $set: { a: 1 } })]))
    const result = kept(workspace, event("$set", "user", { $set: { a: "x".repeat(700_000) } }))
    expect(result.warnings.map(({ type }) => type)).toEqual(["person_properties_size_violation"])
    expect(JSON.parse(result.person.propertiesJson)).toMatchObject({ a: 1 })
  })

  test.each(["$pageview", "$identify"])("that are too large are left out of the person that %s creates", (name) => {
    const workspace = new PersonWorkspace(PROJECT, NOTHING)
    const sent = event(name, "user", { $anon_distinct_id: "anon", $set: { a: "x".repeat(700_000), b: 1 } })
    expect(kept(workspace, sent).warnings.map(({ type }) => type)).toEqual(["person_properties_size_violation"])
    expect(workspace.takeChanges().persons.map(({ properties }) => properties)).toEqual([
      { $creator_event_uuid: sent.uuid },
    ])
  })

  test("are not set once to null, so that a first value may still come", () => {
    const facts = factsAfter(NOTHING, [
      event("$pageview", "user", { $set_once: { plan: null, $initial_referrer: null }, $referrer: null }),
      event("$pageview", "user", { $set_once: { plan: "pro" }, $referrer: "https://a.example" }),
      event("$pageview", "user", { $set_once: { plan: "free" }, $set: { cleared: null } }),
    ])
    expect(living(facts)[0]?.properties).toMatchObject({
      plan: "pro",
      $initial_referrer: "https://a.example",
      cleared: null,
    })
  })

  test("may have any name, even those that mean something to JavaScript", () => {
    const properties = JSON.parse('{"$set": {"__proto__": {"a": 1}, "constructor": 2}}') as JsonObject
    const facts = factsAfter(NOTHING, [event("$set", "user"), event("$set", "user", properties)])
    expect(JSON.parse(JSON.stringify(living(facts)[0]?.properties))).toHaveProperty("constructor", 2)
    expect(JSON.stringify(living(facts)[0]?.properties)).toContain('"__proto__":{"a":1}')
  })
})

describe("a group identify event", () => {
  test.each(["$groupidentify", "$group_identify"])("named %s creates the group and no person", (name) => {
    const facts = factsAfter(NOTHING, [
      event(name, "$company_acme", { $group_type: "company", $group_key: "acme", $group_set: { name: "Acme" } }),
    ])
    expect(facts.groups).toMatchObject([{ typeIndex: 0, key: "acme", version: 1, properties: { name: "Acme" } }])
    expect(facts.persons).toEqual([])
  })

  test("with a type name that is too long takes none of the five places", () => {
    const workspace = new PersonWorkspace(PROJECT, NOTHING)
    const type = "t".repeat(401)
    const result = workspace.process(event("$groupidentify", "x", { $group_type: type, $group_key: "k" }))
    kept(workspace, event("$pageview", "x", { $groups: { [type]: "k" } }))
    expect(result.warnings.map((warning) => warning.type)).toEqual(["group_type_limit_reached"])
    expect(workspace.takeChanges()).toMatchObject({ groupTypes: [], groups: [] })
  })

  test.each([
    ["no type", { $group_key: "k" }],
    ["no key", { $group_type: "company", $group_key: "" }],
    ["an object for a type", { $group_type: {}, $group_key: "k" }],
    ["a list for a key", { $group_type: "company", $group_key: ["k"] }],
  ])("with %s is stored, takes no place and makes no group", (_what, properties) => {
    const workspace = new PersonWorkspace(PROJECT, NOTHING)
    const { warnings } = kept(workspace, event("$groupidentify", "x", properties))
    expect(warnings.map(({ type }) => type)).toEqual(["group_without_type_or_key"])
    expect(workspace.takeChanges()).toMatchObject({ groupTypes: [], groups: [] })
  })

  test("takes numbers and truth values for names", () => {
    const facts = factsAfter(NOTHING, [
      event("$groupidentify", "x", { $group_type: "company", $group_key: 5 }),
      event("$groupidentify", "x", { $group_type: "company", $group_key: true }),
    ])
    expect(facts.groups.map(({ key }) => key)).toEqual(["5", "true"])
  })

  test("keeps equal keys of two types apart", () => {
    const facts = factsAfter(NOTHING, [
      event("$groupidentify", "x", { $group_type: "company", $group_key: "5", $group_set: { a: 1 } }),
      event("$groupidentify", "x", { $group_type: "team", $group_key: "5", $group_set: { a: 2 } }),
    ])
    expect(facts.groups.map(({ typeIndex, properties }) => [typeIndex, properties.a])).toEqual([
      [0, 1],
      [1, 2],
    ])
  })
})
