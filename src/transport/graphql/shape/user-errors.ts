import { GraphQLEnumType, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql"
import { AppError, ERRORS, type ErrorCode } from "../../../kernel/errors.js"
import type { Field, Values } from "./graph-rules.js"

const CORRECTABLE: readonly string[] = ["BAD_USER_INPUT", "CONFLICT"]

const isCorrectableCode = (code: string): code is ErrorCode => {
  const row = Object.entries(ERRORS).find(([known]) => known === code)?.[1]
  return row?.type === "validation_error" && CORRECTABLE.includes(row.graphqlCode)
}

/** Whether a fault is one that a person can correct. */
export const isCorrectable = (thrown: unknown): thrown is AppError =>
  thrown instanceof AppError && isCorrectableCode(thrown.code)

const UserErrorCode = new GraphQLEnumType({
  name: "UserErrorCode",
  description: "What is wrong with an input.",
  values: Object.fromEntries(
    Object.entries(ERRORS)
      .filter(([code]) => isCorrectableCode(code))
      .map(([value, { detail: description }]) => [value.toUpperCase(), { value, description }]),
  ),
})

const UserError = new GraphQLObjectType({
  name: "UserError",
  description: "Something about the input that a person can put right.",
  fields: {
    field: {
      type: GraphQLString,
      description: "Field at fault, nested names joined with two underscores; null for the input as a whole.",
    },
    code: { type: new GraphQLNonNull(UserErrorCode), description: "The rule that it breaks." },
    message: { type: new GraphQLNonNull(GraphQLString), description: "A sentence that names the rule." },
  },
})

/** The field of every payload. */
export const USER_ERRORS: Field = {
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(UserError))),
  description: "What was wrong with the input; empty when the change was made.",
}

/** A fault as it stands in `userErrors`. */
export const toUserError = ({ code, message, details }: AppError): Values => ({
  field: details.attr ?? null,
  code,
  message,
})
