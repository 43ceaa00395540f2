import {
  type GraphQLArgumentConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isInputObjectType,
} from "graphql"
import { callOperation } from "./call-operation.js"
import type { Field } from "./graph-rules.js"
import type { TypeMapper } from "./map-types.js"
import { type GraphArgument, listArguments, readArguments, toGraphArgument } from "./record-arguments.js"
import { type Outcome, type PayloadParts, toPayload, toTypeName } from "./shape-payloads.js"
import { readTypedValue, type TypedPlaces } from "./typed-values.js"
import { isCorrectable, toUserError } from "./user-errors.js"

/**
 * A field of `Mutation`: one `input`, and one payload with the changed record and the faults that a person can
 * correct. Every other fault is an error of the answer.
 */
export function toChange(name: string, operation: Field, parts: PayloadParts): Field {
  const specs = listArguments(`Mutation.${name}`, operation.args ?? {}, parts.rules, parts.places)
  const whole = specs.find(
    ({ operationName, config }) => operationName === "input" && isInputObjectType(getNullableType(config.type)),
  )
  const own = specs.filter((spec) => spec !== whole)
  const wholeNames = Object.keys(whole === undefined ? {} : toInputFields(whole, parts.mapper))
  return {
    type: toPayload(name, operation, parts),
    description: operation.description,
    extensions: operation.extensions,
    args: specs.length === 0 ? {} : { input: toInputArgument(name, own, whole, parts.mapper) },
    resolve: async (source, { input: given }, context, info): Promise<Outcome> => {
      const values = new Map(Object.entries(given ?? {}))
      try {
        const { args: ownArgs, projectId } = readArguments(own, Object.fromEntries(values), parts.places)
        const rest = [...values].filter(([field]) => wholeNames.includes(field))
        const args = whole === undefined ? ownArgs : { ...ownArgs, input: readWhole(whole, rest, parts.places) }
        const result = await callOperation(operation, source, { args, projectId }, context, info)
        return { result, args, projectId, userErrors: [] }
      } catch (thrown) {
        if (!isCorrectable(thrown)) throw thrown
        return { result: null, args: {}, projectId: null, userErrors: [toUserError(thrown)] }
      }
    },
  }
}

const readWhole = ({ config }: GraphArgument, given: readonly [string, unknown][], places: TypedPlaces): unknown =>
  readTypedValue(config.type, Object.fromEntries(given), places)

function toInputFields({ config }: GraphArgument, mapper: TypeMapper): GraphQLInputFieldConfigMap {
  const type = getNamedType(mapper.toInput(config.type))
  return isInputObjectType(type) ? type.toConfig().fields : {}
}

/** The one argument; it may be left out where nothing in it is required. */
function toInputArgument(name: string, ...parts: Tail<Parameters<typeof toInput>>): GraphQLArgumentConfig {
  const input = toInput(`${toTypeName(name)}Input`, ...parts)
  const isOptional = Object.values(input.getFields()).every(
    ({ type, defaultValue }) => type === getNullableType(type) || defaultValue !== undefined,
  )
  return { type: new GraphQLNonNull(input), description: "What to do.", ...(isOptional && { defaultValue: {} }) }
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never

function toInput(
  name: string,
  own: readonly GraphArgument[],
  whole: GraphArgument | undefined,
  mapper: TypeMapper,
): GraphQLInputObjectType {
  const type = whole === undefined ? null : getNamedType(mapper.toInput(whole.config.type))
  if (isInputObjectType(type) && type.name === name && own.length === 0) return type
  const fields: GraphQLInputFieldConfigMap = whole === undefined ? {} : toInputFields(whole, mapper)
  for (const spec of own) {
    const { type: argumentType, description, defaultValue } = toGraphArgument(spec)
    if (spec.name in fields) throw new Error(`${name} would have two fields ${spec.name}`)
    fields[spec.name] = { type: mapper.toInput(argumentType), description, defaultValue }
  }
  return new GraphQLInputObjectType({ name, description: "What a change takes.", fields })
}
