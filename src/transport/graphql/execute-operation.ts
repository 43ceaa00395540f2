import { type DocumentNode, execute, GraphQLError, type GraphQLSchema, parse, validate } from "graphql"
import { AppError } from "../../kernel/errors.js"
import { type JsonObject, toStorableJson } from "../../kernel/json.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { findCause } from "./present-graphql-error.js"

/** Runs one of our own constant operations in process and answers its data. */
export type ExecuteOperation = (
  operation: string,
  variables: Readonly<Record<string, unknown>>,
  context: RequestContext,
) => Promise<Record<string, unknown>>

/**
 * Makes the executor behind the REST rows. Texts must be constants: each is parsed and validated once and kept.
 * Own operations have no cost limit. The executor throws the first AppError of the answer, the very object that the
 * resolver threw; for a variable of the wrong type AppError invalid_input; and otherwise whatever was thrown.
 */
export function createOperationExecutor(schema: GraphQLSchema): ExecuteOperation {
  const parseOnce = createOperationParser(schema)
  return async (operation, variables, context) => {
    const document = parseOnce(operation)
    const variableValues = toStorableJson(variables as JsonObject)
    const result = await execute({ schema, document, variableValues, contextValue: context })
    if (result.errors !== undefined && result.errors.length > 0) throw firstFault(result.errors)
    return result.data ?? {}
  }
}

/** Makes the parser of our own constant operations: each is validated once and kept. It throws for one that does not fit. */
export function createOperationParser(schema: GraphQLSchema): (text: string) => DocumentNode {
  const documents = new Map<string, DocumentNode>()
  return (text) => {
    const known = documents.get(text)
    if (known !== undefined) return known
    const document = parse(text, { noLocation: true })
    const [fault] = validate(schema, document)
    if (fault !== undefined) throw new Error(`an operation of a REST row does not fit the schema: ${fault.message}`)
    documents.set(text, document)
    return document
  }
}

/** What is wrong with operations that must fit a schema; empty when they all do. For the start and for tests. */
export function findUnfitOperations(schema: GraphQLSchema, operations: readonly string[]): string[] {
  return operations.flatMap((text) => validate(schema, parse(text)).map(({ message }) => message))
}

/** The fault that a caller is told of: the first of the table, or else the first of all. */
export function firstFault(errors: readonly GraphQLError[]): unknown {
  const causes = errors.map(findCause)
  const fault = causes.find((cause) => cause instanceof AppError) ?? causes[0]
  if (!(fault instanceof GraphQLError)) return fault
  return fault.path === undefined ? new AppError("invalid_input", { detail: fault.message, cause: fault }) : fault
}
