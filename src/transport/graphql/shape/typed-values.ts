import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLNullableType,
  type GraphQLOutputType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isOutputType,
} from "graphql"
import type { Field, TypedPlace, Values } from "./graph-rules.js"

/** By `Type.field`, or `Query.persons.filter` for arguments. */
export type TypedPlaces = ReadonlyMap<string, TypedPlace>

/** A field whose value the graph shows with a type of its own; the same field where there is none. */
export function toTypedField(field: Field, place: TypedPlace | undefined): Field {
  if (place === undefined) return field
  const type = keepNonNull(place.type, field.type)
  if (!isOutputType(type)) throw new Error(`${String(type)} is no type of values that are shown`)
  const { show } = place
  const description = place.description ?? field.description
  if (show === undefined) return { ...field, type, description }
  return {
    ...field,
    type,
    description,
    resolve: async (source, given, context, info) => {
      const value = await (field.resolve === undefined
        ? source[info.fieldName]
        : field.resolve(source, given, context, info))
      return value == null ? null : show(value)
    },
  }
}

/** Type of an argument or an input's field in the graph; the operation's own where it has no other. */
export function toTypedInput(type: GraphQLInputType, place: TypedPlace | undefined): GraphQLInputType {
  if (place === undefined) return type
  const typed = keepNonNull(place.type, type)
  if (!isInputType(typed)) throw new Error(`${String(typed)} is no type of values that are given`)
  return typed
}

function keepNonNull(type: GraphQLNullableType, before: GraphQLInputType | GraphQLOutputType) {
  return isNonNullType(before) ? new GraphQLNonNull(type) : type
}

/**
 * A value of the graph as the operation takes it.
 * @param type that the operation declares
 * @throws AppError as the rules of the places do.
 */
export function readTypedValue(type: GraphQLInputType, value: unknown, places: TypedPlaces): unknown {
  const named = getNullableType(type)
  if (value == null) return value
  if (isListType(named)) {
    const item: GraphQLInputType = named.ofType
    return Array.isArray(value) ? value.map((one) => readTypedValue(item, one, places)) : value
  }
  if (!isInputObjectType(named) || typeof value !== "object") return value
  return readTypedObject(named, { ...value }, places)
}

/** The same for the fields of an input that are given. */
function readTypedObject(type: GraphQLInputObjectType, values: Values, places: TypedPlaces): Values {
  const fields = type.getFields()
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const place = places.get(`${type.name}.${name}`)
      const field = fields[name]
      if (place !== undefined) return [name, value == null || place.read === undefined ? value : place.read(value)]
      return [name, field === undefined ? value : readTypedValue(field.type, value, places)]
    }),
  )
}
