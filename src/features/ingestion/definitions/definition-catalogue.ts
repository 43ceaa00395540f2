import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { guessPropertyType, type PropertyType, widen } from "./property-type.js"

/** The name and type of a property, to be stored. */
export interface PropertyDefinition {
  readonly projectId: ProjectId
  readonly kind: "event" | "person" | "group"
  /** -1 unless the kind is group. */
  readonly groupTypeIndex: number
  readonly name: string
  readonly type: PropertyType
}

/** The name of an event, to be stored. */
export interface EventDefinition {
  readonly projectId: ProjectId
  readonly name: string
}

/** Names that a batch brought up for the first time, or with another type than before. */
export interface Definitions {
  readonly events: readonly EventDefinition[]
  readonly properties: readonly PropertyDefinition[]
}

/** Properties that control ingestion and say nothing that one would query by. */
const CONTROL_PROPERTIES = new Set([
  "$set",
  "$set_once",
  "$unset",
  "$groups",
  "$process_person_profile",
  "$group_set",
  "token",
])
/**
 * Names of one kind that a project has at most, counted together with what the batch has brought up so far: a sender that
 * makes names up (a timestamp in each) must not fill memory or table.
 */
const MAX_NAMES = 10_000
const MAX_NAME_CHARACTERS = 200

interface ProjectNames {
  readonly events: Set<string>
  /** By kind and group type index. */
  readonly properties: Map<string, Map<string, PropertyType>>
}

/**
 * The names that this process has seen stored, so that a batch sends only new ones. Starts empty: storing a name again
 * is harmless.
 */
export class DefinitionCatalogue {
  private readonly projects = new Map<ProjectId, ProjectNames>()

  /** Begins to collect the names of one batch. */
  collect(): DefinitionCollector {
    return new DefinitionCollector((projectId) => this.getNames(projectId))
  }

  /** Remembers names once they are committed. */
  remember({ events, properties }: Definitions): void {
    for (const { projectId, name } of events) this.getNames(projectId).events.add(name)
    for (const definition of properties) {
      const names = getProperties(this.getNames(definition.projectId), toScope(definition))
      names.set(definition.name, definition.type)
    }
  }

  private getNames(projectId: ProjectId): ProjectNames {
    let names = this.projects.get(projectId)
    if (names === undefined) {
      names = { events: new Set(), properties: new Map() }
      this.projects.set(projectId, names)
    }
    return names
  }
}

/** Gathers from the events of a batch which names and types of properties were not known before. */
export class DefinitionCollector {
  private readonly events = new Map<string, EventDefinition>()
  private readonly properties = new Map<string, PropertyDefinition>()

  constructor(private readonly known: (projectId: ProjectId) => ProjectNames) {}

  addEvent(projectId: ProjectId, name: string): void {
    const { events } = this.known(projectId)
    if (events.has(name) || events.size + this.events.size >= MAX_NAMES) return
    this.events.set(`${projectId}:${name}`, { projectId, name })
  }

  addProperties(scope: Omit<PropertyDefinition, "name" | "type">, properties: JsonObject): void {
    const names = getProperties(this.known(scope.projectId), toScope(scope))
    const values = Object.values(properties)
    let index = 0
    for (const name of Object.keys(properties)) {
      const value = values[index++]
      const before = names.get(name)
      // Text takes every value, which makes it the usual and the quickest case.
      if (before === "String" || CONTROL_PROPERTIES.has(name)) continue
      const seen = guessPropertyType(value)
      if (seen === null || seen === before) continue
      const key = `${scope.projectId}:${toScope(scope)}:${name}`
      const collected = this.properties.get(key)
      if (before === undefined && collected === undefined && !this.hasRoomFor(name, names)) continue
      const type = widen(before, widen(collected?.type, seen))
      this.properties.set(key, { ...scope, name, type })
    }
  }

  private hasRoomFor(name: string, names: ReadonlyMap<string, PropertyType>): boolean {
    return name.length <= MAX_NAME_CHARACTERS && names.size + this.properties.size < MAX_NAMES
  }

  definitions(): Definitions {
    return { events: [...this.events.values()], properties: [...this.properties.values()] }
  }
}

const toScope = ({ kind, groupTypeIndex }: Pick<PropertyDefinition, "kind" | "groupTypeIndex">): string =>
  kind === "group" ? `group${groupTypeIndex}` : kind

function getProperties(names: ProjectNames, scope: string): Map<string, PropertyType> {
  let properties = names.properties.get(scope)
  if (properties === undefined) {
    properties = new Map()
    names.properties.set(scope, properties)
  }
  return properties
}
