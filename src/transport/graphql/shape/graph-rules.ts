import type {
  GraphQLEnumType,
  GraphQLFieldConfig,
  GraphQLInputType,
  GraphQLNullableType,
  GraphQLOutputType,
} from "graphql"
import type { RequestContext } from "../../../kernel/request-context.js"

/** Values by their names, of arguments or of a record. */
export type Values = Readonly<Record<string, unknown>>

/** A field of the graph as it is made. */
export type Field = GraphQLFieldConfig<Values, RequestContext, Values>
/** All fields of a type by their names. */
export type Fields = Readonly<Record<string, Field>>

/** One way to say which record is meant. */
export interface Identifier {
  readonly type: GraphQLInputType
  readonly description: string
  /** Arguments of the look-up. */
  readonly toArguments: (value: unknown) => Values
  /** The operation of `Query` that finds a record by it, where that is not the rule's look-up. */
  readonly lookUp?: string
}

/** How a type of record stands in the graph. */
export interface RecordRule {
  /** Name of the field that has what operations call `id`; null for a record without. */
  readonly documented: string | null
  /** Whether ids have the number of the project, which is then the record's `projectId`. */
  readonly isOfProject: boolean
  /** The operation of `Query` that finds one, or lists all there are. */
  readonly lookUp: string
  /** What the look-up takes besides the global id; nothing for records that only `node` finds. */
  readonly identifiers: Readonly<Record<string, Identifier>>
  /** What ids are made of: whatever a look-up by id takes. */
  readonly toKey: (record: Values) => string
  /** Arguments of the look-up for a key. */
  readonly toArguments: (key: string) => Values
}

/** A field that leads from a record to others: an operation of `Query` with some arguments taken from the record. */
export interface EdgeRule {
  readonly operation: string
  readonly description: string
  /**
   * Arguments that clients cannot give, because they follow from the record. They throw AppError not_found for one that leads
   * nowhere.
   */
  readonly takes: Readonly<Record<string, (record: Values) => unknown>>
}

/** A value of the operations, a word or JSON, that has a type of its own in the graph. */
export interface TypedPlace {
  /** May be null wherever the operation's may. */
  readonly type: GraphQLNullableType
  /** In place of what is said of it in the operations. */
  readonly description?: string
  /** Makes what the type shows; a word that is the value of an enum needs none. */
  readonly show?: (value: unknown) => unknown
  /** Makes what the operation takes, likewise. */
  readonly read?: (value: unknown) => unknown
}

/** Finds types of the graph by the names that they have in the operations. @throws Error for other names. */
export interface TypeFinder {
  output(name: string): GraphQLNullableType & GraphQLOutputType
  input(name: string): GraphQLNullableType & GraphQLInputType
  enum(name: string): GraphQLEnumType
}

/** What a mutation answers whose operation answers no record. */
export interface PayloadRule {
  /** Field with what the operation answers; absent where that is always the same. */
  readonly result?: readonly [name: string, description: string]
  /** Record that was changed: its field, its type, and the argument that names it. */
  readonly record?: readonly [name: string, type: string, argument: string]
  /** Field with an argument as it was given. */
  readonly echo?: readonly [name: string, description: string, argument: string]
}

/** How the graph that clients see is made of the operations that features declare. */
export interface GraphRules {
  /** By name of the type. */
  readonly records: Readonly<Record<string, RecordRule>>
  /** Types that show a record of another type with more beside it: they have its id, and `node` finds that record. */
  readonly sameRecords: Readonly<Record<string, string>>
  /** Types in whose place another one stands that shows more of the same record. */
  readonly replacedTypes: Readonly<Record<string, string>>
  /** Operations that only REST or edges need, as `Mutation.runQuery`. */
  readonly hiddenOperations: readonly string[]
  /** Which records arguments name: by `Mutation.updateCohort.id`, or by the argument's name alone. */
  readonly recordArguments: Readonly<Record<string, string>>
  /** By `Type.field`, or `Query.persons.filter` for arguments; fields of types are made when they are asked for. */
  readonly typedPlaces: (find: TypeFinder) => Readonly<Record<string, TypedPlace>>
  /** Other names that arguments have in the graph. */
  readonly renamedArguments: Readonly<Record<string, string>>
  /** Arguments of operations that clients of the graph do not see. */
  readonly hiddenArguments: readonly string[]
  /** By `Type.field`. */
  readonly edges: Readonly<Record<string, EdgeRule>>
  /** By name of the mutation. */
  readonly payloads: Readonly<Record<string, PayloadRule>>
}
