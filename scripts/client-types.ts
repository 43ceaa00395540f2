import { preset } from "@graphql-codegen/client-preset"
import { codegen } from "@graphql-codegen/core"
import { buildSchema, type DocumentNode, parse, print } from "graphql"

/** What a client may configure of the preset. */
interface ClientConfig {
  readonly scalars: Readonly<Record<string, string>>
  readonly strictScalars: boolean
}

/** The blocks of one language in a page of Markdown. */
export const listBlocks = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].flatMap(([, text]) => text ?? [])

/** The documents of recipes, in order. */
export const readRecipes = (page: string): DocumentNode[] =>
  listBlocks(page, "graphql").map((text) => parse(text, { noLocation: true }))

/**
 * Types and documents as the client preset of GraphQL Code Generator makes them. Its command line is left out, which
 * brings 230 packages more and nothing that is needed here (decision 0072).
 * @throws Error for documents that do not fit the schema.
 */
export async function makeClientTypes(
  schemaText: string,
  documents: readonly DocumentNode[],
  config: ClientConfig,
): Promise<string> {
  const files = await preset.buildGeneratesSection({
    baseOutputDir: "generated/",
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
    documents: documents.map((document) => ({ document, rawSDL: print(document), location: "recipes.graphql" })),
    config: { ...config, useTypeImports: true },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
    documentTransforms: [],
  })
  const file = files.find(({ filename }) => filename.endsWith("/graphql.ts"))
  if (file === undefined) throw new Error("the preset makes no graphql.ts")
  return await codegen(file)
}
