/** What one GraphQL document or socket may ask for. Every number is enforced before anything is executed. */
export interface GraphqlLimits {
  /** UTF-8 bytes of the whole HTTP body, variables included. */
  readonly maxBodyBytes: number
  /** Characters of the document alone. */
  readonly maxDocumentLength: number
  readonly maxTokens: number
  /** Nested selection sets with fragments expanded; introspection has its own, as the standard query is deep. */
  readonly maxDepth: number
  readonly maxIntrospectionDepth: number
  readonly maxAliases: number
  readonly maxDirectives: number
  readonly maxRootFields: number
  /** Times one response name may stand in one selection set; merging compares them pairwise. */
  readonly maxRepeatsOfOneField: number
  /** Fields once every fragment is expanded, which catches fragments that double at each step. */
  readonly maxExpandedFields: number
  /** Nested list and object literals. */
  readonly maxLiteralDepth: number
  /** Points by `operationCost`. */
  readonly maxCost: number
  readonly maxSocketMessageBytes: number
  readonly maxSubscriptionsPerSocket: number
  readonly maxSubscriptionIdLength: number
  readonly maxPingsPerSecond: number
  readonly connectionInitTimeoutMs: number
  /** How long a socket may stay without a valid key. */
  readonly keylessSocketMs: number
  /** How often a socket is pinged and its key checked again. */
  readonly socketCheckIntervalMs: number
}

/** The limits of every server (`docs/contract/faults.md#graphql-limits`). */
export const DEFAULT_GRAPHQL_LIMITS: GraphqlLimits = {
  maxBodyBytes: 1024 * 1024,
  maxDocumentLength: 100_000,
  maxTokens: 2_000,
  maxDepth: 12,
  maxIntrospectionDepth: 18,
  maxAliases: 30,
  maxDirectives: 50,
  maxRootFields: 30,
  maxRepeatsOfOneField: 10,
  maxExpandedFields: 5_000,
  maxLiteralDepth: 32,
  maxCost: 10_000,
  maxSocketMessageBytes: 1024 * 1024,
  maxSubscriptionsPerSocket: 100,
  maxSubscriptionIdLength: 128,
  maxPingsPerSecond: 100,
  connectionInitTimeoutMs: 10_000,
  keylessSocketMs: 30_000,
  socketCheckIntervalMs: 15_000,
}
