import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { derivePersonId, type PersonEvent, PersonWorkspace } from "../../../src/features/persons/index.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"

const PROJECT = asProjectId(1)
const MINUTE_MS = 60_000
const UNMERGEABLE = "anonymous"

interface ModelPerson {
  /** The distinct id that its uuid is made of. */
  readonly namedAfter: string
  readonly ids: Set<string>
  properties: Map<string, Json>
  isIdentified: boolean
  createdAtMs: number
}

/**
 * The rules of `docs/contract/capture.md#person-profiles` to `docs/contract/capture.md#merges`, read once more and
 * written down without any regard for speed.
 */
class Model {
  readonly owners = new Map<string, ModelPerson>()
  private readonly withoutProfile = new Set<string>()

  /** Answers the mode of the stored event; null when it is dropped. */
  process({ event, distinctId, properties, timestampMs }: PersonEvent): string | null {
    const isMerge = ["$identify", "$create_alias", "$merge_dangerously"].includes(event)
    if (properties.$process_person_profile === false) {
      if (isMerge) return null
      const person = this.owners.get(distinctId)
      if (person === undefined) this.withoutProfile.add(distinctId)
      return person !== undefined && timestampMs > person.createdAtMs + MINUTE_MS ? "force_upgrade" : "propertyless"
    }
    const create = (namedAfter: string, isIdentified: boolean): void => {
      const person = {
        namedAfter,
        ids: new Set<string>(),
        properties: new Map(),
        isIdentified,
        createdAtMs: timestampMs,
      }
      this.give(namedAfter, person)
      this.change(person, properties)
    }
    if (isMerge) this.merge(event, distinctId, (properties.$anon_distinct_id ?? properties.alias) as string, create)
    const person = this.owners.get(distinctId)
    if (person === undefined) create(distinctId, false)
    else if (event !== "$exception") this.change(person, properties)
    return "full"
  }

  private merge(event: string, own: string, other: string, create: (id: string, isIdentified: boolean) => void): void {
    if (own === other || own === UNMERGEABLE || other === UNMERGEABLE) return
    const [sourceId, targetId] = event === "$create_alias" ? [own, other] : [other, own]
    let [source, target] = [this.owners.get(sourceId), this.owners.get(targetId)]
    if (source === undefined && target === undefined) {
      const sourceFirst = this.withoutProfile.has(sourceId) && !this.withoutProfile.has(targetId)
      const [first, second] = sourceFirst ? [sourceId, targetId] : [targetId, sourceId]
      create(first, true)
      this.give(second, this.owners.get(first) as ModelPerson)
    } else if (source === undefined || target === undefined || source === target) {
      const only = (source ?? target) as ModelPerson
      this.give(sourceId, only)
      this.give(targetId, only)
      only.isIdentified = true
    } else {
      if (event === "$create_alias" && source.isIdentified && !target.isIdentified) [source, target] = [target, source]
      const isRefused = source.isIdentified && event !== "$merge_dangerously"
      target.isIdentified = true
      if (isRefused) return
      target.properties = new Map([...source.properties, ...target.properties])
      target.createdAtMs = Math.min(source.createdAtMs, target.createdAtMs)
      for (const id of source.ids) this.give(id, target)
    }
  }

  private give(distinctId: string, person: ModelPerson): void {
    this.owners.set(distinctId, person)
    person.ids.add(distinctId)
  }

  private change({ properties: known }: ModelPerson, { $set, $set_once, $unset }: JsonObject): void {
    for (const [name, value] of Object.entries($set_once as JsonObject))
      if (value !== null && !known.has(name)) known.set(name, value)
    for (const [name, value] of Object.entries($set as JsonObject)) known.set(name, value)
    for (const name of $unset as string[]) known.delete(name)
  }
}

const anyId = fc.constantFrom("a", "b", "c", "d", UNMERGEABLE)
const anyProperties = fc.dictionary(fc.constantFrom("p", "q", "r"), fc.constantFrom<Json>(1, 2, "x", null, { n: 1 }))
const anyEvent = fc.record({
  name: fc.constantFrom("seen", "seen", "$exception", "$identify", "$create_alias", "$merge_dangerously"),
  distinctId: anyId,
  other: anyId,
  hasProfile: fc.constantFrom(true, true, false),
  laterByMs: fc.constantFrom(-MINUTE_MS, 1, MINUTE_MS, MINUTE_MS + 1),
  set: anyProperties,
  setOnce: anyProperties,
  unset: fc.subarray(["p", "q", "r"]),
})

const sorted = <T>(rows: readonly T[]): T[] =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))

describe("any sequence of events", () => {
  test("leaves the persons, and stores the events in the modes, that a plain reading of the rules gives", () => {
    const nothing = { persons: [], distinctIds: [], personlessDistinctIds: [], groupTypes: [], groups: [] }
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (steps) => {
        const workspace = new PersonWorkspace(PROJECT, nothing)
        const model = new Model()
        let timestampMs = Date.parse("2026-01-01T00:00:00.000Z")
        for (const { name, distinctId, other, hasProfile, laterByMs, set, setOnce, unset } of steps) {
          timestampMs += laterByMs
          const merging: JsonObject = name === "$identify" ? { $anon_distinct_id: other } : { alias: other }
          const flag: JsonObject = hasProfile ? {} : { $process_person_profile: false }
          const properties = { ...merging, ...flag, $set: set, $set_once: setOnce, $unset: unset }
          const event = { uuid: "u", event: name, distinctId, properties, timestampMs, receivedAtMs: timestampMs }
          const result = workspace.process(event)
          expect(result.kept ? result.personMode : null).toBe(model.process(event))
        }
        const { persons, distinctIds } = workspace.takeChanges()
        const idsOf = (id: string): string[] =>
          distinctIds.filter(({ personId }) => personId === id).map(({ distinctId }) => distinctId)
        const found = persons
          .filter(({ isDeleted }) => !isDeleted)
          .map(({ id, properties: { $creator_event_uuid: _, ...rest }, isIdentified, createdAtMs }) => [
            id,
            idsOf(id).toSorted(),
            Object.entries(rest).toSorted(),
            isIdentified,
            createdAtMs,
          ])
        const expected = [...new Set(model.owners.values())].map((person) => [
          derivePersonId(PROJECT, person.namedAfter),
          [...person.ids].toSorted(),
          [...person.properties].toSorted(),
          person.isIdentified,
          person.createdAtMs,
        ])
        expect(sorted(found)).toEqual(sorted(expected))
      }),
      { numRuns: 300 },
    )
  })
})
