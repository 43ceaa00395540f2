import {
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLUnionType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isOutputType,
  isUnionType,
} from "graphql"
import type { Field, Fields } from "./graph-rules.js"

/** Gives for types of the operations those of the graph. */
export interface TypeMapper {
  toOutput(type: GraphQLOutputType): GraphQLOutputType
  toInput(type: GraphQLInputType): GraphQLInputType
  /** The graph's type of this name. @throws Error when there is none. */
  findObject(name: string): GraphQLObjectType
  /** Any type of the graph by its name. @throws Error when there is none. */
  find(name: string): GraphQLNamedType
}

/** What is different about the object types of the graph. */
export interface TypeChanges {
  /** Type that stands in another's place. */
  readonly replaced: Readonly<Record<string, string>>
  /** All fields of a type, made of those that operations have. */
  toFields(typeName: string, fields: Fields): Fields
  /** Type of an input's field in the graph, `type` being what it would be otherwise. */
  toInputField(typeName: string, name: string, type: GraphQLInputType): GraphQLInputType
  /** Interfaces besides those that operations declare. */
  toInterfaces(typeName: string): GraphQLInterfaceType[]
}

/** Makes the mapper; each type is made once, when something first needs it. */
export function createTypeMapper(operations: GraphQLSchema, changes: TypeChanges): TypeMapper {
  const known = new Map<string, GraphQLNamedType>()
  const toObject = (type: GraphQLObjectType): GraphQLObjectType =>
    new GraphQLObjectType({
      ...type.toConfig(),
      interfaces: () => [...type.getInterfaces().map(toInterface), ...changes.toInterfaces(type.name)],
      fields: () => changes.toFields(type.name, type.toConfig().fields),
    })
  const toInterface = (type: GraphQLInterfaceType): GraphQLInterfaceType => {
    const made = toNamed(type)
    return isInterfaceType(made) ? made : type
  }
  const makeInterface = (type: GraphQLInterfaceType): GraphQLInterfaceType =>
    new GraphQLInterfaceType({
      ...type.toConfig(),
      interfaces: () => type.getInterfaces().map(toInterface),
      fields: () => changes.toFields(type.name, type.toConfig().fields),
    })
  const makeUnion = (type: GraphQLUnionType): GraphQLUnionType =>
    new GraphQLUnionType({
      ...type.toConfig(),
      types: () => type.getTypes().map((one) => findObject(one.name)),
    })
  const toInputObject = (type: GraphQLInputObjectType): GraphQLInputObjectType => {
    const { fields, ...config } = type.toConfig()
    const entries = Object.entries(fields)
    const toType = (name: string, own: GraphQLInputType) => changes.toInputField(type.name, name, toInput(own))
    const toFields = () => entries.map(([name, field]) => [name, { ...field, type: toType(name, field.type) }] as const)
    return new GraphQLInputObjectType({ ...config, fields: () => Object.fromEntries(toFields()) })
  }
  const toNamed = (type: GraphQLNamedType): GraphQLNamedType => {
    const name = changes.replaced[type.name] ?? type.name
    const before = known.get(name)
    if (before !== undefined) return before
    const wanted = operations.getType(name)
    // What the operations do not have was made for the graph as it is.
    if (wanted === undefined) return type
    const made = make(wanted)
    known.set(name, made)
    return made
  }
  const make = (type: GraphQLNamedType): GraphQLNamedType => {
    if (isObjectType(type)) return toObject(type)
    if (isInterfaceType(type)) return makeInterface(type)
    if (isUnionType(type)) return makeUnion(type)
    return isInputObjectType(type) ? toInputObject(type) : type
  }
  const findObject = (name: string): GraphQLObjectType => {
    const type = operations.getType(name)
    const made = isObjectType(type) ? toNamed(type) : undefined
    if (isObjectType(made)) return made
    throw new Error(`the operations have no object type ${name}`)
  }
  const find = (name: string): GraphQLNamedType => {
    const type = operations.getType(name)
    if (type === undefined) throw new Error(`the operations have no type ${name}`)
    return toNamed(type)
  }
  const toOutput = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(toOutput(type.ofType))
    if (isListType(type)) return new GraphQLList(toOutput(type.ofType))
    const named = toNamed(type)
    return isOutputType(named) ? named : type
  }
  const toInput = (type: GraphQLInputType): GraphQLInputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(toInput(type.ofType))
    if (isListType(type)) return new GraphQLList(toInput(type.ofType))
    const named = toNamed(type)
    return isInputType(named) ? named : type
  }
  return { toOutput, toInput, findObject, find }
}

/** Fields with the graph's types in place of the operations'. */
export const mapFields = (fields: Fields, mapper: TypeMapper): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, mapField(field, mapper)]))

/** A field with the graph's types in place of the operations'. */
export const mapField = (field: Field, mapper: TypeMapper): Field => ({
  ...field,
  type: mapper.toOutput(field.type),
  args: Object.fromEntries(
    Object.entries(field.args ?? {}).map(([name, argument]) => [
      name,
      { ...argument, type: mapper.toInput(argument.type) },
    ]),
  ),
})
