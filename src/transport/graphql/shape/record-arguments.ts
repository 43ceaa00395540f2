import {
  type GraphQLArgumentConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
} from "graphql"
import { AppError } from "../../../kernel/errors.js"
import { readGlobalId } from "./global-id.js"
import type { GraphRules, TypedPlace, Values } from "./graph-rules.js"
import { readTypedValue, type TypedPlaces, toTypedInput } from "./typed-values.js"

const MAX_NUMBER = 2 ** 31 - 1

/** One argument of an operation as the graph has it. */
export interface GraphArgument {
  /** Its name in the graph. */
  readonly name: string
  /** Its name in the operation. */
  readonly operationName: string
  /** As the operation declares it. */
  readonly config: GraphQLArgumentConfig
  /** Type of the record that it names; null when it names none. */
  readonly record: string | null
  /** How the graph has its value, where that differs. */
  readonly place: TypedPlace | undefined
}

/** Arguments of an operation, and the project that the ids among them are of. */
export interface ReadArguments {
  readonly args: Values
  /** Null when no id of a record in a project was given. */
  readonly projectId: number | null
}

/** Lists the arguments of an operation, `path` being `Mutation.updateCohort`. */
export function listArguments(
  path: string,
  args: GraphQLFieldConfigArgumentMap,
  { recordArguments, renamedArguments, hiddenArguments }: GraphRules,
  places: TypedPlaces,
): GraphArgument[] {
  const shown = Object.entries(args).filter(([name]) => !hiddenArguments.includes(name))
  return shown.map(([operationName, config]) => {
    const record = recordArguments[`${path}.${operationName}`] ?? recordArguments[operationName] ?? null
    const place = places.get(`${path}.${operationName}`)
    return { name: renamedArguments[operationName] ?? operationName, operationName, config, record, place }
  })
}

/**
 * An argument that names records takes global ids; it has no default, because the project of such an id comes first.
 */
export function toGraphArgument({ config, record, place }: GraphArgument): GraphQLArgumentConfig {
  if (place !== undefined)
    return { ...config, type: toTypedInput(config.type, place), description: place.description ?? config.description }
  if (record === null) return config
  const isOptional = !isNonNullType(config.type) || config.defaultValue !== undefined
  const nullable = isListType(getNullableType(config.type)) ? new GraphQLList(new GraphQLNonNull(GraphQLID)) : GraphQLID
  const type = isOptional ? nullable : new GraphQLNonNull(nullable)
  return { ...config, type, defaultValue: undefined }
}

/**
 * Puts documented identifiers in the places of global ids; what is documented already stays.
 * @throws AppError invalid_input for ids of other types or several projects, and for texts where numbers are due.
 */
export function readArguments(specs: readonly GraphArgument[], given: Values, places: TypedPlaces): ReadArguments {
  let projectId: number | null = null
  const args: Record<string, unknown> = {}
  for (const { name, operationName, config, record, place } of specs) {
    const value = given[name]
    if (value === undefined) continue
    if (record === null || value === null) {
      const read = place?.read
      args[operationName] =
        place === undefined
          ? readTypedValue(config.type, value, places)
          : value === null
            ? null
            : (read?.(value) ?? value)
      continue
    }
    const isNumber = getNamedType(config.type).name === "Int"
    const read = (id: unknown): unknown => {
      const named = readId(String(id), name, record)
      if (named.projectId !== null && projectId !== null && named.projectId !== projectId)
        throw new AppError("invalid_input", { attr: name, detail: `${name} has ids of several projects.` })
      projectId ??= named.projectId
      return isNumber ? toNumber(named.key, name) : named.key
    }
    args[operationName] = Array.isArray(value) ? value.map(read) : read(value)
  }
  return { args, projectId }
}

function readId(text: string, attr: string, record: string): { key: string; projectId: number | null } {
  const id = readGlobalId(text)
  if (id === null) return { key: text, projectId: null }
  if (id.type === record) return id
  const detail = `${attr} is the id of a ${id.type}; give one of a ${record}.`
  throw new AppError("invalid_input", { attr, detail })
}

function toNumber(key: string, attr: string): number {
  if (!/^\d+$/.test(key))
    throw new AppError("invalid_input", { attr, detail: `${attr} must be an id of the graph or a whole number.` })
  const number = Number(key)
  if (number > MAX_NUMBER) throw new AppError("not_found")
  return number
}
