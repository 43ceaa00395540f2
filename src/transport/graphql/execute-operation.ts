import {
  type ArgumentNode,
  type DocumentNode,
  execute,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type NameNode,
  parse,
  parseType,
  type VariableDefinitionNode,
  type VariableNode,
  validate,
} from "graphql"
import { AppError } from "../../kernel/errors.js"
import { type JsonObject, toStorableJson } from "../../kernel/json.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { inSpan } from "../../kernel/trace.js"
import { toOperationSpan } from "./operation-span.js"
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
    const result = await inSpan(toOperationSpan(document, null, "rest"), async () =>
      execute({ schema, document, variableValues, contextValue: context }),
    )
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
    const document = parseOperation(schema, text)
    const [fault] = validate(schema, document)
    if (fault !== undefined) throw new Error(`an operation of a REST row does not fit the schema: ${fault.message}`)
    documents.set(text, document)
    return document
  }
}

/** What is wrong with operations that must fit a schema; empty when they all do. For the start and for tests. */
export function findUnfitOperations(schema: GraphQLSchema, operations: readonly string[]): string[] {
  return operations.flatMap((text) => validate(schema, parseOperation(schema, text)).map(({ message }) => message))
}

/**
 * Parses an operation of ours. A root field that is written without arguments gets each that the schema has for it from the
 * variable of the same name, so that nobody writes down again what the schema says: `{ person { id } }` is read as
 * `query ($id: ID!, $projectId: ID!) { person(id: $id, projectId: $projectId) { id } }`.
 */
function parseOperation(schema: GraphQLSchema, text: string): DocumentNode {
  const document = parse(text, { noLocation: true })
  const definitions = document.definitions.map((operation) => {
    if (operation.kind !== Kind.OPERATION_DEFINITION) return operation
    const fields = schema.getRootType(operation.operation)?.getFields() ?? {}
    const declared = new Map(operation.variableDefinitions?.map((one) => [one.variable.name.value, one]))
    const selections = operation.selectionSet.selections.map((node) => {
      if (node.kind !== Kind.FIELD || node.arguments?.length !== 0) return node
      const args = fields[node.name.value]?.args ?? []
      for (const arg of args) if (!declared.has(arg.name)) declared.set(arg.name, toVariableDefinition(arg))
      return { ...node, arguments: args.map(toArgument) }
    })
    const selectionSet = { ...operation.selectionSet, selections }
    return { ...operation, variableDefinitions: [...declared.values()], selectionSet }
  })
  return { ...document, definitions }
}

const toName = (value: string): NameNode => ({ kind: Kind.NAME, value })
const toVariable = (name: string): VariableNode => ({ kind: Kind.VARIABLE, name: toName(name) })

const toArgument = ({ name }: GraphQLArgument): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: toName(name),
  value: toVariable(name),
})

/** The variable of an argument with a default may be left out. */
const toVariableDefinition = ({ name, type, defaultValue }: GraphQLArgument): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: toVariable(name),
  type: parseType(String(isNonNullType(type) && defaultValue !== undefined ? type.ofType : type)),
})

/** The fault that a caller is told of: the first of the table, or else the first of all. */
export function firstFault(errors: readonly GraphQLError[]): unknown {
  const causes = errors.map(findCause)
  const fault = causes.find((cause) => cause instanceof AppError) ?? causes[0]
  if (!(fault instanceof GraphQLError)) return fault
  return fault.path === undefined ? new AppError("invalid_input", { detail: fault.message, cause: fault }) : fault
}
