import { execFileSync } from "node:child_process"
import { codegen } from "@graphql-codegen/core"
import * as operationsPlugin from "@graphql-codegen/typescript-operations"
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  printSchema,
} from "graphql"
import { createOperationParser } from "../src/transport/graphql/execute-operation.js"
import { restRoutes } from "../src/transport/rest/routes/index.js"

const HEAD = "/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */\n"
/** Rows of one resource, or of a list of one: their answers are shown by the resource's own list of fields. */
const OF_RESOURCE = /^(?:query|mutation) \{ item: |^\{ page: \w+ \{ totalCount nodes \{ (?!.*pageInfo).* \} \} \}$/
/** What a path is about: `cohorts` of `/api/environments/:project_id/cohorts/:id`. */
const RESOURCE = /^(?:\/api)?(?:\/(?:environments|projects|organizations)\/:\w+(?=\/))?\/(\w+)/

const CONFIG = {
  scalars: { JSON: "../../../kernel/json.js#Json", DateTimeISO: "string", ID: { input: "string", output: "string" } },
  strictScalars: true,
  useTypeImports: true,
  namingConvention: "keep",
  skipTypename: true,
}

interface RowOperation {
  readonly id: string
  /** Whether its answer is shown by a resource, which knows its fields: then only its variables have types. */
  readonly isOfResource: boolean
  readonly definition: OperationDefinitionNode
}

/** The operations of rows by what their paths are about. */
function groupOperations(schema: GraphQLSchema): Map<string, RowOperation[]> {
  const parseOperation = createOperationParser(schema)
  const rows = restRoutes.flatMap((row) => {
    if (row.target !== "operation" && row.target !== "events") return []
    const [definition] = parseOperation(row.operation).definitions
    const resource = RESOURCE.exec(row.path)?.[1]
    if (definition?.kind !== Kind.OPERATION_DEFINITION || resource === undefined)
      throw new Error(`${row.id} runs no operation, or of nothing`)
    const named = { ...definition, name: { kind: Kind.NAME, value: row.id } } as const
    return [{ id: row.id, resource, isOfResource: OF_RESOURCE.test(row.operation), definition: named }]
  })
  return Map.groupBy(rows, ({ resource }) => resource)
}

/** The same operation that asks for nothing: its variables have the same types. */
const withoutAnswer = ({ selectionSet, ...definition }: OperationDefinitionNode): OperationDefinitionNode => ({
  ...definition,
  selectionSet: {
    ...selectionSet,
    selections: selectionSet.selections.map((field) =>
      field.kind === Kind.FIELD && field.selectionSet !== undefined
        ? { ...field, selectionSet: { kind: Kind.SELECTION_SET, selections: [TYPE_NAME] } }
        : field,
    ),
  },
})
const TYPE_NAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } }

const toCapitals = (words: string): string => words.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
const toTypeName = ({ id, definition: { operation } }: RowOperation): string => id + toCapitals(operation)

/**
 * Types of the variables and answers of the operations that REST rows run, as GraphQL Code Generator makes them of the
 * schema, without its comments: the texts of files by their names, one for each resource and one of all of them.
 */
export async function makeOperationTypes(schema: GraphQLSchema): Promise<ReadonlyMap<string, string>> {
  const document = parse(printSchema(schema))
  const groups = [...groupOperations(schema)].map(([resource, operations]) => ({
    operations,
    file: resource.replaceAll("_", "-"),
    type: `${toCapitals(resource)}Operations`,
  }))
  const files = new Map<string, string>()
  for (const { file, type, operations } of groups) files.set(`${file}.ts`, await makeTypes(document, type, operations))
  const imports = groups.map(({ file, type }) => `import type { ${type} } from "./${file}.js"\n`).sort()
  const all = groups.map(({ type }) => type).join(", ")
  return files.set(
    "row-operations.ts",
    format(`${HEAD}${imports.join("")}\nexport interface RowOperations extends ${all} {}\n`),
  )
}

async function makeTypes(schema: DocumentNode, name: string, operations: readonly RowOperation[]): Promise<string> {
  const types = await codegen({
    filename: "operations.ts",
    schema,
    documents: operations.map(({ definition, isOfResource }) => ({
      document: { kind: Kind.DOCUMENT, definitions: [isOfResource ? withoutAnswer(definition) : definition] },
    })),
    plugins: [{ operations: {} }],
    pluginMap: { operations: operationsPlugin },
    config: CONFIG,
  })
  const rows = operations.map((one) => {
    const type = toTypeName(one)
    const data = one.isOfResource ? "unknown" : type
    return `${one.id}: { readonly variables: ${type}Variables; readonly data: ${data} }\n`
  })
  const unused = operations.filter(({ isOfResource }) => isOfResource).map(toTypeName)
  const bare = unused.reduce(
    (text, type) => text.replace(new RegExp(`export type ${type} = [^]*?(?=\\nexport |$)`), ""),
    types.replace(/\s*\/\*\*[\s\S]*?\*\//g, ""),
  )
  return format(`${HEAD}${bare}\nexport interface ${name} {\n${rows.join("")}}\n`)
}

const format = (input: string): string =>
  execFileSync("biome", ["format", "--stdin-file-path=src/operations.ts"], { input, encoding: "utf8" })
