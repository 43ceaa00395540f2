import type { ResultPartsFragment } from "../graph/generated/graphql"

/** The result of a query, as far as pictures need it. */
export type Result = ResultPartsFragment

/** The result of one kind of query. */
export type ResultOf<Name extends Result["__typename"]> = Extract<Result, { readonly __typename: Name }>
