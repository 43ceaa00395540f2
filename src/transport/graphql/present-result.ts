import type { ExecutionResult, GraphQLError } from "graphql"
import type { OnDefect } from "../wire/public-fault.js"
import { presentGraphqlError } from "./present-graphql-error.js"

/** A result as clients may see it; Apollo presents its own. */
export const presentResult = (result: ExecutionResult, onDefect: OnDefect) =>
  result.errors === undefined ? result : { ...result, errors: presentErrors(result.errors, onDefect) }

/** Errors of an operation as clients may see them. */
export const presentErrors = (errors: readonly GraphQLError[], onDefect: OnDefect) =>
  errors.map((error) => presentGraphqlError(error, error.extensions.code ?? toCode(error), onDefect))

/** Errors of wrong variables carry no code and no path; whatever a resolver threw has a path. */
const toCode = (error: GraphQLError): string => (error.path === undefined ? "BAD_USER_INPUT" : "INTERNAL")
