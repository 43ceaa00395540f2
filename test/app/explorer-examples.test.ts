import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import { buildSchema, getOperationAST, parse, validate } from "graphql"
import { getVariableValues } from "graphql/execution/values.js"
import { EXAMPLES } from "../../console/src/screens/graphql/examples.js"

const schema = buildSchema(readFileSync("schema.graphql", "utf8"))

describe("an example of the explorer", () => {
  test.each(EXAMPLES.map((example) => [example.title, example] as const))(
    "%s: is valid, with its variables",
    (_, example) => {
      const document = parse(example.operation)
      expect(validate(schema, document)).toEqual([])
      const declared = getOperationAST(document)?.variableDefinitions ?? []
      const { errors = [] } = getVariableValues(schema, declared, { ...example.variables })
      expect(errors).toEqual([])
    },
  )
})
