import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeSync,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  print,
  type SelectionSetNode,
} from "graphql"
import { LRUCache } from "lru-cache"
import type { RequestContext } from "../../kernel/request-context.js"
import type { RateBudget } from "../../platform/limits/rate-budget.js"

/** An operation over HTTP or a socket. It keeps to the limits and is valid. */
type IntrospectionQuery = Pick<ExecutionArgs, "document" | "operationName" | "variableValues">

/** Who asks. */
type IntrospectionCaller = Pick<RequestContext, "senderIp" | "authenticationFault">

/** An answer to a question about the schema. */
export interface IntrospectionAnswer {
  readonly result: ExecutionResult
  /** The result as JSON without its closing brace, so that extensions can follow. */
  readonly bytes: Buffer
}

/** How often an address may ask. */
export interface IntrospectionLimits {
  /** Questions that have to be worked out, whoever asks. */
  readonly newTexts: RateBudget
  /** All questions of callers without a key: to write an answer of 200 KB costs something too. */
  readonly keyless: RateBudget
}

/**
 * The answer to a question about the schema alone, null for every other operation.
 * @throws AppError rate_limited, also for an operation that asks for the schema beside other things.
 */
export type Introspect = (query: IntrospectionQuery, caller: IntrospectionCaller) => IntrospectionAnswer | null

/** The standard question has an answer of 250 kB; the longest one that the limits of documents let through has 2.5 MB. */
const MAX_ANSWERS_BYTES = 8 * 1024 * 1024

/**
 * Makes the memory of answers to questions about the schema, which never change and each take tens of milliseconds to make: of
 * equal questions only the first is worked out, of others so many a minute (`docs/contract/faults.md#introspection`).
 */
export function createIntrospection(schema: GraphQLSchema, limits: IntrospectionLimits): Introspect {
  const answers = new LRUCache<string, IntrospectionAnswer>({
    maxSize: MAX_ANSWERS_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  const texts = new WeakMap<DocumentNode, string>()
  return ({ document, operationName, variableValues }, { senderIp, authenticationFault }) => {
    const part = findSchemaPart(document, operationName)
    if (part === "none") return null
    if (authenticationFault !== null) limits.keyless.take(senderIp)
    if (part === "some") {
      limits.newTexts.take(senderIp)
      return null
    }
    const text = texts.get(document) ?? print(document)
    texts.set(document, text)
    const key = JSON.stringify([text, operationName ?? null, variableValues ?? {}])
    const known = answers.get(key)
    if (known !== undefined) return known
    limits.newTexts.take(senderIp)
    const result = executeSync({ schema, document, operationName, variableValues })
    const answer = { result, bytes: Buffer.from(JSON.stringify(result).slice(0, -1)) }
    answers.set(key, answer)
    return answer
  }
}

/**
 * How much of an operation asks for the schema: all of it, some of it, or none. `__typename` is about anything and alone not
 * worth remembering.
 */
export function findSchemaPart(document: DocumentNode, operationName?: string | null): "all" | "some" | "none" {
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== "query") return "none"
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const names = new Set<string>()
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) names.add(node.name.value)
      else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet)
      else {
        const fragment = fragments.get(node.name.value)
        // Looked into once: fragments that stand in a circle are refused by validation.
        fragments.delete(node.name.value)
        if (fragment !== undefined) collect(fragment.selectionSet)
      }
    }
  }
  collect(operation.selectionSet)
  names.delete("__typename")
  const hasSchema = names.delete("__schema")
  const hasType = names.delete("__type")
  if (!hasSchema && !hasType) return "none"
  return names.size === 0 ? "all" : "some"
}
