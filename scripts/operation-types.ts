import { execFileSync } from "node:child_process"
import { codegen } from "@graphql-codegen/core"
import * as operationsPlugin from "@graphql-codegen/typescript-operations"
import { type GraphQLSchema, Kind, type OperationDefinitionNode, parse, printSchema } from "graphql"
import { createOperationParser } from "../src/transport/graphql/execute-operation.js"
import { restRoutes } from "../src/transport/rest/routes/index.js"

const HEAD = "/** Types of the operations that REST rows run, by the ids of the rows. Written by `npm run schema`. */\n"
/** Rows of one resource, or of a list of one: their answers are shown by the resource's own list of fields. */
const OF_RESOURCE = /^(?:query|mutation) \{ item: |^\{ page: \w+ \{ totalCount nodes \{ (?!.*pageInfo).* \} \} \}$/

const CONFIG = {
  scalars: { JSON: "../../../kernel/json.js#Json", DateTimeISO: "string", ID: { input: "string", output: "string" } },
  strictScalars: true,
  useTypeImports: true,
  namingConvention: "keep",
  skipTypename: true,
}

/** The operation of each row that says itself what it answers, under the row's id. */
function listNamedOperations(schema: GraphQLSchema): OperationDefinitionNode[] {
  const parseOperation = createOperationParser(schema)
  return restRoutes.flatMap((row) => {
    if ((row.target !== "operation" && row.target !== "events") || OF_RESOURCE.test(row.operation)) return []
    const [definition] = parseOperation(row.operation).definitions
    if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${row.id} runs no operation`)
    return [{ ...definition, name: { kind: Kind.NAME, value: row.id } }]
  })
}

const toTypeName = ({ name, operation }: OperationDefinitionNode): string =>
  `${name?.value}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`

/**
 * Types of the variables and answers of the operations that REST rows run, as GraphQL Code Generator makes them of the
 * schema, without its comments.
 */
export async function makeOperationTypes(schema: GraphQLSchema): Promise<string> {
  const operations = listNamedOperations(schema)
  const types = await codegen({
    filename: "operations.ts",
    schema: parse(printSchema(schema)),
    documents: operations.map((one) => ({ document: { kind: Kind.DOCUMENT, definitions: [one] } })),
    plugins: [{ operations: {} }],
    pluginMap: { operations: operationsPlugin },
    config: CONFIG,
  })
  const rows = operations.map((one) => {
    const type = toTypeName(one)
    return `${one.name?.value}: { readonly variables: ${type}Variables; readonly data: ${type} }\n`
  })
  const bare = types.replace(/\s*\/\*\*[\s\S]*?\*\//g, "")
  const text = `${HEAD}${bare}\nexport interface RowOperations {\n${rows.join("")}}\n`
  return execFileSync("biome", ["format", "--stdin-file-path=src/operations.ts"], { input: text, encoding: "utf8" })
}
