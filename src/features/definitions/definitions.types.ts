import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { DefinitionFilterInput, DefinitionInput, DefinitionType } from "./definitions.graphql.js"

/** What a name belongs to. */
export type DefinitionKind = "event" | "event_property" | "person_property" | "group_property"

/** What says which name of a project is meant. */
export interface DefinitionKey {
  readonly kind: DefinitionKind
  /** -1 unless the kind is group_property. */
  readonly groupTypeIndex: number
  readonly name: string
}

/** A name that ingestion has seen, with what people say of it. */
export interface Definition extends Readonly<DefinitionType>, DefinitionKey {
  readonly projectId: ProjectId
  /** How queries read a property, as ingestion has it; null for an event. */
  readonly propertyType: string | null
  /** When an event was seen first; null for a property. */
  readonly createdAt: Date | null
  readonly ownerId: UserId | null
  readonly lastModifiedById: UserId | null
}

/** What a caller says of a name; an absent field stays as it is. */
export type DefinitionRequest = Readonly<DefinitionInput>

/** What is stored of a request. */
export type DefinitionChanges = Partial<
  Pick<Definition, "description" | "ownerId" | "isVerified" | "tags" | "isHidden">
>

/** Conditions of a list; all given ones must hold. */
export interface DefinitionFilter extends Readonly<DefinitionFilterInput> {
  readonly kind: DefinitionKind
  /** Only properties of groups of this type. */
  readonly groupTypeIndex?: number | null
}
