import { GraphQLID, GraphQLObjectType, getNamedType, getNullableType, isListType, isObjectType } from "graphql"
import { PROJECT_ARGUMENT } from "./call-operation.js"
import type { FindRecord } from "./find-record.js"
import type { GraphParts } from "./graph-parts.js"
import type { Field, PayloadRule, Values } from "./graph-rules.js"
import { USER_ERRORS } from "./user-errors.js"

/** What a change came to; the fields of its payload are made of it. */
export interface Outcome extends Values {
  /** What the operation answered; null when it refused the input. */
  readonly result: unknown
  /** Arguments of the operation, documented identifiers in place of ids. */
  readonly args: Values
  /** Project of the ids among them. */
  readonly projectId: number | null
  readonly userErrors: readonly Values[]
}

/** What payloads are made of. */
export interface PayloadParts extends GraphParts {
  readonly findRecord: FindRecord
}

/**
 * The payload of a change: `userErrors`, and what the rule names; without a rule what the operation answers, under
 * the name of its type. All but `userErrors` are null when the change was not made.
 */
export function toPayload(name: string, operation: Field, parts: PayloadParts): GraphQLObjectType {
  const rule = parts.rules.payloads[name] ?? {}
  const fields: Record<string, Field> = { userErrors: USER_ERRORS }
  if (rule.echo !== undefined) fields[rule.echo[0]] = toEcho(rule.echo)
  if (rule.record !== undefined) fields[rule.record[0]] = toChangedRecord(rule.record, parts)
  const [result, description] = rule.result ?? [toResultName(operation), "What was made or changed."]
  if (rule.result !== undefined || (rule.record === undefined && rule.echo === undefined))
    fields[result] = {
      type: getNullableType(parts.mapper.toOutput(operation.type)),
      description: `${description} Null when the input was refused.`,
      resolve: (outcome) => outcome.result,
    }
  return new GraphQLObjectType({ name: `${toTypeName(name)}Payload`, description: "What the change came to.", fields })
}

/** `UpdatePerson` for `updatePerson`: how the types of a mutation begin. */
export const toTypeName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** `featureFlag` for an operation that answers one `FeatureFlag`. */
function toResultName({ type }: Field): string {
  const named = getNamedType(type)
  if (isListType(getNullableType(type)) || !isObjectType(named)) return "result"
  return named.name.charAt(0).toLowerCase() + named.name.slice(1)
}

const toEcho = ([, description, argument]: NonNullable<PayloadRule["echo"]>): Field => ({
  type: GraphQLID,
  description: `${description} Null when the input was refused.`,
  resolve: ({ args }) => (isValues(args) ? args[argument] : null),
})

/** The record is looked up once the change is made, as any other reader would see it. */
function toChangedRecord([, type, argument]: NonNullable<PayloadRule["record"]>, parts: PayloadParts): Field {
  return {
    type: parts.mapper.findObject(type),
    description: "The record as it is now; null when the input was refused.",
    resolve: ({ args, projectId }, _arguments, context, info) => {
      if (!isValues(args) || args[argument] == null) return null
      const project = args[PROJECT_ARGUMENT] == null ? {} : { [PROJECT_ARGUMENT]: args[PROJECT_ARGUMENT] }
      const named = { type, key: String(args[argument]), projectId: typeof projectId === "number" ? projectId : null }
      return parts.findRecord({ ...named, arguments: project }, context, info)
    },
  }
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null
