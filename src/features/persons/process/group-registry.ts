import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { GroupRecord, GroupTypeRecord, ProjectFacts } from "../persons.types.js"
import { isGroupIdentify } from "./event-names.js"
import { isTooLarge } from "./person-registry.js"
import type { PersonEvent, ProcessingWarning } from "./process.types.js"
import { differs } from "./property-changes.js"

/** Events have this many `$group_n` columns. */
export const MAX_GROUP_TYPES = 5
const MAX_GROUP_KEY_CHARACTERS = 400
/** A longer name is no type: it would take one of five places for good. */
const MAX_GROUP_TYPE_CHARACTERS = 400

/**
 * Group types and groups of one project: the facts before a batch plus every change since
 * (`docs/contract/capture.md#groups`).
 */
export class GroupRegistry {
  private readonly indexByType = new Map<string, number>()
  private readonly groups = new Map<string, GroupRecord>()
  private newTypes: GroupTypeRecord[] = []
  private changedGroups = new Map<string, GroupRecord>()
  private knownCharacters = 0

  /** Of the JSON of all groups that were loaded or written: how much memory they take, roughly. */
  get characters(): number {
    return this.knownCharacters
  }

  /** Adds facts. Of what is known already, what is known is newer. */
  addFacts(facts: ProjectFacts): void {
    for (const { name, typeIndex } of facts.groupTypes) this.indexByType.set(name, typeIndex)
    for (const group of facts.groups) {
      const id = groupId(group.typeIndex, group.key)
      if (!this.groups.has(id)) this.keep(id, group)
    }
  }

  /** Creates or updates the group of a group identify event; what cannot be done is a warning, never an error. */
  identify(event: PersonEvent): ProcessingWarning[] {
    const named = readGroupName(event.properties)
    if (named === null) return [{ type: "group_without_type_or_key", details: { eventUuid: event.uuid } }]
    const { typeName, key: groupKey } = named
    const { $group_set: set } = event.properties
    const details: JsonObject = { eventUuid: event.uuid, groupType: typeName, groupKey: groupKey.slice(0, 100) }
    if (groupKey.length > MAX_GROUP_KEY_CHARACTERS) return [{ type: "group_key_too_long", details }]
    const typeIndex = this.resolveTypeIndex(typeName)
    if (typeIndex === null) return [{ type: "group_type_limit_reached", details }]
    const fits = this.upsert(typeIndex, groupKey, isJsonObject(set) ? set : {}, event)
    return fits ? [] : [{ type: "group_properties_size_violation", details }]
  }

  /**
   * The groups an event belongs to, as keys by type index. A type seen for the first time gets the lowest free index; no
   * group is created. Null when the event names no group.
   */
  groupKeysByType(groups: Json | undefined): ReadonlyMap<number, GroupKey> | null {
    if (!isJsonObject(groups)) return null
    const keys = new Map<number, GroupKey>()
    for (const [type, key] of readGroupKeys(groups)) {
      const typeIndex = this.resolveTypeIndex(type)
      if (typeIndex !== null) keys.set(typeIndex, key)
    }
    return keys
  }

  /** What has changed since it was last taken. */
  takeChanges() {
    const changes = { groupTypes: this.newTypes, groups: [...this.changedGroups.values()] }
    this.newTypes = []
    this.changedGroups = new Map()
    return changes
  }

  private resolveTypeIndex(name: string): number | null {
    const known = this.indexByType.get(name)
    if (known !== undefined) return known
    if (!isTypeName(name)) return null
    const taken = new Set(this.indexByType.values())
    for (let typeIndex = 0; typeIndex < MAX_GROUP_TYPES; typeIndex++) {
      if (taken.has(typeIndex)) continue
      this.indexByType.set(name, typeIndex)
      this.newTypes.push({ name, typeIndex })
      return typeIndex
    }
    return null
  }

  private upsert(typeIndex: number, key: string, set: JsonObject, event: PersonEvent): boolean {
    const id = groupId(typeIndex, key)
    const before = this.groups.get(id)
    if (before !== undefined && !Object.entries(set).some(([name, value]) => differs(before.properties, name, value)))
      return true
    const properties = { ...before?.properties, ...set }
    const propertiesJson = JSON.stringify(properties)
    if (isTooLarge(propertiesJson)) return false
    const seenAtMs = Math.min(event.receivedAtMs, event.timestampMs)
    const group = {
      typeIndex,
      key,
      properties,
      createdAtMs: Math.min(seenAtMs, before?.createdAtMs ?? seenAtMs),
      updatedAtMs: event.receivedAtMs,
      version: (before?.version ?? 0) + 1,
      characters: propertiesJson.length,
    }
    this.keep(id, group)
    this.changedGroups.set(id, group)
    return true
  }

  private keep(id: string, group: GroupRecord): void {
    this.knownCharacters += (group.characters ?? 0) - (this.groups.get(id)?.characters ?? 0)
    this.groups.set(id, group)
  }
}

/** The index is part of the identity: equal keys of two types are two groups. */
const groupId = (typeIndex: number, key: string): string => `${typeIndex}:${key}`

const isTypeName = (name: string): boolean => name !== "" && name.length <= MAX_GROUP_TYPE_CHARACTERS

/** A group's key as it was sent; its text identifies the group. */
type GroupKey = string | number | boolean

const isGroupKey = (value: Json | undefined): value is GroupKey =>
  value !== undefined && value !== null && typeof value !== "object" && value !== ""

/** Type and key of each group in the `$groups` of an event, in the order in which new types get their places. */
const readGroupKeys = (groups: JsonObject): [type: string, key: GroupKey][] =>
  Object.entries(groups).filter((entry): entry is [string, GroupKey] => isGroupKey(entry[1]))

/** Type and key of every group that an event names in any way, in the order in which new types get their places. */
export function readNamedGroups({
  event,
  properties,
}: Pick<PersonEvent, "event" | "properties">): readonly [type: string, key: GroupKey][] {
  if (properties.$process_person_profile === false) return []
  const identified = isGroupIdentify(event) ? readGroupName(properties) : null
  const belongsTo = isJsonObject(properties.$groups) ? readGroupKeys(properties.$groups) : []
  if (identified !== null) belongsTo.unshift([identified.typeName, identified.key])
  return belongsTo.filter(([type]) => isTypeName(type))
}

/**
 * The group that a group identify event is about, both as texts; null when it names none
 * (`docs/contract/capture.md#groups`). An object is no name: as a text it would take one of five places for good.
 */
export function readGroupName({
  $group_type: type,
  $group_key: key,
}: JsonObject): { readonly typeName: string; readonly key: string } | null {
  if (!type || !key || !isGroupKey(type) || !isGroupKey(key)) return null
  return { typeName: String(type), key: String(key) }
}
