import { beforeAll, expect, test } from "@jest/globals"
import { derivePersonId } from "../../../../src/features/persons/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { CaseProject, type SeenEvent, type SeenPerson, type SeenProject } from "../../../support/case-project.js"
import type { WaymarkApi } from "../../../support/waymark-api.js"
import { captureCases } from "./case-files.js"
import { HELPER_ID_SUFFIX, type PipelineGiven, TIMES, toEarlierEvents } from "./earlier-events.js"

interface ExpectedPerson {
  readonly uuid_for_team_1?: string
  readonly uuid_of?: string
  readonly distinct_ids?: readonly string[]
  readonly properties?: JsonObject
  readonly properties_contain?: JsonObject
  readonly is_identified?: boolean
  readonly created_at?: "t1" | "t2"
}

interface PersonCase {
  readonly id: string
  readonly title: string
  readonly given: PipelineGiven
  readonly expect: {
    readonly persons?: readonly ExpectedPerson[]
    readonly person_count?: number
    readonly warning?: string
    readonly no_merge?: boolean
    readonly event_stored?: boolean
    readonly group_types?: Readonly<Record<string, number>>
    readonly groups?: readonly { type_index?: number; key?: string; properties?: JsonObject }[]
    readonly event?: {
      readonly person_uuid_for_team_1?: string
      readonly person_mode?: string
      readonly person_properties?: JsonObject
      readonly properties_absent?: readonly string[]
      readonly properties_contain?: JsonObject
    }
  }
}

interface Outcome {
  readonly project: CaseProject
  readonly uuid: string
  readonly seen: SeenProject
  readonly event: SeenEvent | null
}

const personCases = (): readonly PersonCase[] =>
  captureCases().filter(({ kind, area }) => kind === "pipeline" && area !== "timestamp") as unknown as PersonCase[]

/**
 * Every person and group case of capture.json against a server: the state before it is made by events, as an app would,
 * and the state after it read by GraphQL and HogQL. Versions are not part of the interface; the same cases check them in
 * memory. All cases go through ingestion together: one wait for the states before, one for the events.
 */
export function runPersonCases(api: () => WaymarkApi): void {
  const outcomes = new Map<string, Outcome>()

  beforeAll(async () => {
    const started: { one: PersonCase; project: CaseProject; uuid: string }[] = []
    for (const one of personCases()) {
      const project = await CaseProject.create(api(), one.id)
      await project.send(toEarlierEvents(one.given))
      started.push({ one, project, uuid: crypto.randomUUID() })
    }
    await api().drained()
    for (const { one, project, uuid } of started) await project.send([{ ...one.given.event, uuid }])
    await api().drained()
    for (const { one, project, uuid } of started)
      outcomes.set(one.id, { project, uuid, seen: await project.see(), event: await project.eventOf(uuid) })
  }, 120_000)

  test.each(personCases())("$id holds: $title", async ({ id, given, expect: expected }) => {
    const outcome = outcomes.get(id) as Outcome
    const { project, seen, event } = outcome
    expect(event !== null).toBe(expected.event_stored ?? true)
    if (expected.warning !== undefined) await project.warned(expected.warning)
    if (expected.person_count !== undefined) expect(seen.persons).toHaveLength(expected.person_count)
    if (expected.no_merge) expect(seen.persons.map(idsOf)).toEqual([[given.event.distinct_id]])
    for (const person of expected.persons ?? []) checkPerson(person, given, outcome)
    if (expected.group_types !== undefined) expect(seen.groupTypes).toEqual(expected.group_types)
    if (expected.groups !== undefined) {
      expect(seen.groups).toHaveLength(expected.groups.length)
      for (const [index, { type_index, key, properties }] of expected.groups.entries())
        expect(seen.groups[index]).toMatchObject({
          ...(type_index !== undefined && { typeIndex: type_index }),
          ...(key !== undefined && { key }),
          ...(properties !== undefined && { properties }),
        })
    }
    if (expected.event !== undefined) checkEvent(expected.event, given, outcome)
  })
}

const idsOf = ({ distinctIds }: SeenPerson): string[] =>
  distinctIds.filter((id) => !id.endsWith(HELPER_ID_SUFFIX)).toSorted()

/** The uuid that a case writes for project 1, of whose id it is; for the project of the test. */
function uuidHere(forTeam1: string, distinctId: string, { project }: Outcome): string {
  expect(derivePersonId(asProjectId(1), distinctId)).toBe(forTeam1)
  return derivePersonId(asProjectId(project.id), distinctId)
}

function findPerson(expected: ExpectedPerson, given: PipelineGiven, outcome: Outcome): SeenPerson {
  const { seen, project } = outcome
  const { uuid_for_team_1: forTeam1, uuid_of: owner, distinct_ids: ids } = expected
  const id =
    forTeam1 !== undefined
      ? uuidHere(forTeam1, given.event.distinct_id, outcome)
      : owner !== undefined && derivePersonId(asProjectId(project.id), owner)
  const found = seen.persons.filter((person) =>
    id ? person.id === id : (ids ?? [given.event.distinct_id]).every((one) => person.distinctIds.includes(one)),
  )
  expect(found).toHaveLength(1)
  return found[0] as SeenPerson
}

function checkPerson(expected: ExpectedPerson, given: PipelineGiven, outcome: Outcome): void {
  const person = findPerson(expected, given, outcome)
  if (expected.distinct_ids !== undefined) expect(idsOf(person)).toEqual(expected.distinct_ids.toSorted())
  if (expected.properties !== undefined) {
    // Written by the creation, which the cases leave to the state before.
    const { $creator_event_uuid: _creator, ...properties } = person.properties
    expect(properties).toEqual(expected.properties)
  }
  if (expected.properties_contain !== undefined)
    expect(person.properties).toMatchObject(withUuid(expected.properties_contain, outcome.uuid))
  if (expected.is_identified !== undefined) expect(person.isIdentified).toBe(expected.is_identified)
  if (expected.created_at !== undefined) expect(Date.parse(person.createdAt)).toBe(TIMES[expected.created_at])
}

const withUuid = (properties: JsonObject, uuid: string): Record<string, Json> =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value === "<event uuid>" ? uuid : value]))

function checkEvent(
  expected: NonNullable<PersonCase["expect"]["event"]>,
  { event: sent }: PipelineGiven,
  outcome: Outcome,
): void {
  const event = outcome.event as SeenEvent
  const { person_uuid_for_team_1: forTeam1, person_mode: mode, person_properties: properties } = expected
  if (forTeam1 !== undefined) expect(event.personId).toBe(uuidHere(forTeam1, sent.distinct_id, outcome))
  if (mode !== undefined) expect(event.personMode).toBe(mode)
  if (properties !== undefined) expect(event.personProperties).toEqual(properties)
  for (const name of expected.properties_absent ?? []) expect(event.properties).not.toHaveProperty([name])
  if (expected.properties_contain !== undefined) expect(event.properties).toMatchObject(expected.properties_contain)
}
