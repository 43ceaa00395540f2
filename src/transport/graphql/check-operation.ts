import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  validate,
} from "graphql"
import { AppError, ERRORS } from "../../kernel/errors.js"
import { type JsonObject, toStorableJson } from "../../kernel/json.js"
import type { AdmitDocument } from "./document-gate.js"
import type { GraphqlLimits } from "./graphql-limits.js"
import { operationCost } from "./operation-cost.js"
import type { CountOperation } from "./operation-metrics.js"
import { toGraphqlError } from "./present-graphql-error.js"

/** What operations are checked against. */
export interface OperationRules {
  readonly schema: GraphQLSchema
  readonly limits: GraphqlLimits
  readonly admit: AdmitDocument
  readonly fieldCosts: Readonly<Record<string, number>>
  readonly count: CountOperation
}

/** An operation as it was sent. */
export interface OperationRequest {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

/** What every answer says of the points that were asked for (`docs/contract/faults.md#prices-of-fields`). */
export type CostExtensions = { readonly cost: { readonly requested: number; readonly limit: number } }

/** An operation that may be executed. */
export interface AdmittedOperation {
  readonly args: Omit<ExecutionArgs, "contextValue">
  readonly extensions: CostExtensions
}

/** An operation that may be executed, or what is wrong with it. */
export type CheckedOperation = AdmittedOperation | { readonly errors: readonly GraphQLError[] }

/**
 * Puts an operation through the checks that Apollo makes for most of those over HTTP: document limits, validation and cost.
 * Sockets and streams have no Apollo.
 */
export function checkOperation(rules: OperationRules, payload: OperationRequest): CheckedOperation {
  try {
    const document = rules.admit(payload.query)
    const faults = validateOnce(rules.schema, document)
    if (faults.length > 0) return { errors: faults.map((fault) => withCode(fault, "GRAPHQL_VALIDATION_FAILED")) }
    const operation = getOperationAST(document, payload.operationName ?? undefined)
    if (!operation)
      return { errors: [withCode(new GraphQLError("Unable to identify operation"), "OPERATION_RESOLUTION_FAILURE")] }
    const extensions = checkCost(rules, document, operation, payload.variables ?? {})
    const args = {
      schema: rules.schema,
      document,
      operationName: payload.operationName ?? undefined,
      variableValues: toStorableJson((payload.variables ?? {}) as JsonObject),
    }
    return { args, extensions }
  } catch (thrown) {
    if (thrown instanceof AppError) return { errors: [toGraphqlError(thrown, ERRORS[thrown.code].status)] }
    if (thrown instanceof GraphQLError) return { errors: [withCode(thrown, "GRAPHQL_PARSE_FAILED")] }
    throw thrown
  }
}

/**
 * Refuses an operation above the cost limit.
 * @returns what its answer says of the cost.
 * @throws AppError cost_limit with `requested` and `limit`.
 */
export function checkCost(
  { schema, limits, fieldCosts }: OperationRules,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): CostExtensions {
  const requested = operationCost({ schema, document, operation, variables, fieldCosts })
  if (requested > limits.maxCost)
    throw new AppError("cost_limit", {
      detail: `The operation costs ${requested} points; at most ${limits.maxCost} are allowed. Ask for smaller pages.`,
      extra: { requested, limit: limits.maxCost },
    })
  return { cost: { requested, limit: limits.maxCost } }
}

const valid = new WeakSet<DocumentNode>()

function validateOnce(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  if (valid.has(document)) return []
  const faults = validate(schema, document, undefined, { maxErrors: 20 })
  if (faults.length === 0) valid.add(document)
  return faults
}

const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    extensions: { ...error.extensions, code },
  })
