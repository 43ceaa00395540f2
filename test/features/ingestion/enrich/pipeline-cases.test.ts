import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { enrich } from "../../../../src/features/ingestion/enrich/index.js"
import type { DistinctIdRecord, PersonRecord, ProjectFacts } from "../../../../src/features/persons/index.js"
import { derivePersonId, PersonWorkspace } from "../../../../src/features/persons/index.js"
import { asPersonId, asProjectId } from "../../../../src/kernel/ids.js"
import { type Json, type JsonObject, toStorableJson } from "../../../../src/kernel/json.js"

interface GivenPerson {
  distinct_ids: string[]
  properties: JsonObject
  is_identified: boolean
  version: number
  created_at: "t1" | "t2"
}
interface ExpectedPerson {
  uuid_for_team_1?: string
  uuid_of?: string
  distinct_ids?: string[]
  properties?: JsonObject
  properties_contain?: JsonObject
  version?: number
  is_identified?: boolean
  created_at?: "t1" | "t2"
}
interface PipelineCase {
  id: string
  title: string
  given: {
    persons?: GivenPerson[]
    group_types?: Record<string, number>
    groups?: { type_index: number; key: string; properties: JsonObject; version: number }[]
    event: { event: string; distinct_id: string; properties: JsonObject }
  }
  expect: {
    persons?: ExpectedPerson[]
    person_count?: number
    warning?: string
    no_merge?: boolean
    event_stored?: boolean
    group_types?: Record<string, number>
    groups?: { type_index?: number; key?: string; properties?: JsonObject; version?: number }[]
    event?: {
      person_uuid_for_team_1?: string
      person_mode?: string
      person_properties?: JsonObject
      properties_absent?: string[]
      properties_contain?: JsonObject
    }
  }
}

const PROJECT = asProjectId(1)
const EVENT_UUID = "0198f7c0-0000-7000-8000-000000000001"
const NOW_MS = Date.parse("2025-06-01T12:00:00.000Z")
const TIMES = { t1: Date.parse("2025-01-01T00:00:00Z"), t2: Date.parse("2025-02-01T00:00:00Z") }

const { cases } = JSON.parse(readFileSync(new URL("../pipeline-cases.json", import.meta.url), "utf8")) as {
  cases: PipelineCase[]
}

function toFacts({ persons = [], group_types = {}, groups = [] }: PipelineCase["given"]): ProjectFacts {
  const records: PersonRecord[] = persons.map((person) => ({
    id: derivePersonId(PROJECT, person.distinct_ids[0] as string),
    properties: person.properties,
    isIdentified: person.is_identified,
    isDeleted: false,
    createdAtMs: TIMES[person.created_at],
    version: person.version,
  }))
  return {
    persons: records,
    distinctIds: persons.flatMap(({ distinct_ids }, index) =>
      distinct_ids.map((distinctId) => ({ distinctId, personId: records[index]?.id ?? null, version: 0 })),
    ),
    personlessDistinctIds: [],
    groupTypes: Object.entries(group_types).map(([name, typeIndex]) => ({ name, typeIndex })),
    groups: groups.map(({ type_index, ...group }) => ({ typeIndex: type_index, createdAtMs: TIMES.t1, ...group })),
  }
}

/** The state after a case: what was there before, overlaid with the changes. */
function run({ given }: PipelineCase) {
  const facts = toFacts(given)
  const workspace = new PersonWorkspace(PROJECT, facts)
  const event = enrich(
    {
      projectId: PROJECT,
      uuid: EVENT_UUID,
      event: given.event.event,
      distinctId: given.event.distinct_id,
      // As capture hands it on.
      properties: toStorableJson(given.event.properties),
      timestamp: new Date(NOW_MS).toISOString(),
      clientTimestamp: null,
      receivedAtMs: NOW_MS,
      clientIp: "",
      historicalMigration: false,
    },
    null,
  )
  const result = workspace.process(event)
  const changes = workspace.takeChanges()
  const persons = new Map([...facts.persons, ...changes.persons].map((person) => [person.id, person]))
  const owners = new Map([...facts.distinctIds, ...changes.distinctIds].map((row) => [row.distinctId, row]))
  const groups = new Map(
    [...facts.groups, ...changes.groups].map((group) => [`${group.typeIndex}:${group.key}`, group]),
  )
  return {
    result,
    persons: [...persons.values()].filter(({ isDeleted }) => !isDeleted),
    owners: [...owners.values()],
    groupTypes: [...facts.groupTypes, ...changes.groupTypes],
    groups: [...groups.values()],
  }
}

function checkPerson(expected: ExpectedPerson, actual: PersonRecord, owners: readonly DistinctIdRecord[]): void {
  if (expected.uuid_for_team_1 !== undefined) expect(actual.id).toBe(asPersonId(expected.uuid_for_team_1))
  if (expected.uuid_of !== undefined) expect(actual.id).toBe(derivePersonId(PROJECT, expected.uuid_of))
  if (expected.distinct_ids !== undefined)
    expect(
      owners
        .filter(({ personId }) => personId === actual.id)
        .map(({ distinctId }) => distinctId)
        .sort(),
    ).toEqual([...expected.distinct_ids].sort())
  if (expected.properties !== undefined) expect(actual.properties).toEqual(expected.properties)
  if (expected.properties_contain !== undefined)
    expect(actual.properties).toMatchObject(fillEventUuid(expected.properties_contain))
  if (expected.version !== undefined) expect(actual.version).toBe(expected.version)
  if (expected.is_identified !== undefined) expect(actual.isIdentified).toBe(expected.is_identified)
  if (expected.created_at !== undefined) expect(actual.createdAtMs).toBe(TIMES[expected.created_at])
}

const fillEventUuid = (properties: JsonObject): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, value === "<event uuid>" ? EVENT_UUID : value]),
  )

describe("a person or group case of the shared collection", () => {
  test.each(cases)("$id holds: $title", (given) => {
    const { expect: expected } = given
    const { result, persons, owners, groupTypes, groups } = run(given)

    expect(result.kept).toBe(expected.event_stored ?? true)
    if (expected.warning !== undefined) expect(result.warnings.map(({ type }) => type)).toContain(expected.warning)
    if (expected.person_count !== undefined) expect(persons).toHaveLength(expected.person_count)
    if (expected.no_merge) expect(owners.map(({ distinctId }) => distinctId)).toEqual([given.given.event.distinct_id])
    for (const [index, person] of (expected.persons ?? []).entries())
      checkPerson(person, persons[index] as PersonRecord, owners)
    if (expected.group_types !== undefined)
      expect(Object.fromEntries(groupTypes.map(({ name, typeIndex }) => [name, typeIndex]))).toEqual(
        expected.group_types,
      )
    if (expected.groups !== undefined) {
      expect(groups).toHaveLength(expected.groups.length)
      for (const [index, { type_index, ...group }] of expected.groups.entries())
        expect(groups[index]).toMatchObject(type_index === undefined ? group : { typeIndex: type_index, ...group })
    }
    if (expected.event !== undefined) checkEvent(expected.event, result)
  })
})

function checkEvent(expected: NonNullable<PipelineCase["expect"]["event"]>, result: ReturnType<typeof run>["result"]) {
  if (!result.kept) throw new Error("the event was dropped")
  if (expected.person_uuid_for_team_1 !== undefined) expect(result.person.id).toBe(expected.person_uuid_for_team_1)
  if (expected.person_mode !== undefined) expect(result.personMode).toBe(expected.person_mode)
  if (expected.person_properties !== undefined)
    expect(JSON.parse(result.person.propertiesJson)).toEqual(expected.person_properties)
  for (const name of expected.properties_absent ?? []) expect(result.properties).not.toHaveProperty([name])
  if (expected.properties_contain !== undefined) expect(result.properties).toMatchObject(expected.properties_contain)
}
