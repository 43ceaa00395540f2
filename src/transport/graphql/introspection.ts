import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  print,
} from "graphql"
import { LRUCache } from "lru-cache"
import type { RateBudget } from "../../platform/limits/rate-budget.js"

/** An operation over HTTP or a socket. */
export interface IntrospectionQuery {
  readonly document: DocumentNode
  readonly operationName?: string | null
  readonly variables: Readonly<Record<string, unknown>>
  /** Address that asks. */
  readonly sender: string
}

/** The answer to a question about the schema alone; null for every other operation. @throws AppError rate_limited. */
export type Introspect = (query: IntrospectionQuery) => ExecutionResult | null

const MAX_ANSWERS = 50

/**
 * Makes the memory of answers to questions about the schema, which never change and each take tens of milliseconds to make: of
 * equal questions only the first is worked out, of others so many a minute.
 */
export function createIntrospection(schema: GraphQLSchema, budget: RateBudget): Introspect {
  const answers = new LRUCache<string, ExecutionResult>({ max: MAX_ANSWERS })
  const texts = new WeakMap<DocumentNode, string>()
  return ({ document, operationName, variables, sender }) => {
    if (!isAboutSchema(document, operationName)) return null
    const text = texts.get(document) ?? print(document)
    texts.set(document, text)
    const key = JSON.stringify([text, operationName ?? null, variables])
    const known = answers.get(key)
    if (known !== undefined) return known
    budget.take(sender)
    const answer = executeSync({ schema, document, operationName, variableValues: variables })
    answers.set(key, answer)
    return answer
  }
}

/** Whether an operation asks for nothing but the schema. `__typename` alone is not worth remembering. */
function isAboutSchema(document: DocumentNode, operationName?: string | null): boolean {
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== "query") return false
  const names = operation.selectionSet.selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : ""))
  const isMeta = names.every((name) => name === "__schema" || name === "__type" || name === "__typename")
  return isMeta && names.some((name) => name !== "__typename")
}
