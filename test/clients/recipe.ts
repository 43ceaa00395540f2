import { readFileSync } from "node:fs"
import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core"
import { type DocumentNode, Kind, parse } from "graphql"

/** The page that has the recipes. */
export const RECIPES = readFileSync("docs/recipes.md", "utf8")

interface Recipe {
  readonly title: string
  /** What stands between the heading and the document. */
  readonly text: string
  readonly name: string
  readonly document: DocumentNode
  /** The JSON below the document; null where it takes none. */
  readonly json: string | null
}

const RECIPE = /^(.+)\n\n((?:.+\n)+)\n```graphql\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```\n)?/

/** The recipes of the page, in order. */
export const listRecipes = (): Recipe[] =>
  RECIPES.split("\n## ").flatMap((section) => {
    const [, title = "", text = "", graphql, json = null] = RECIPE.exec(section) ?? []
    if (graphql === undefined) return []
    const document = parse(graphql)
    return [{ title, text, name: toName(document), document, json }]
  })

/** The name of the first operation of a document. */
export function toName({ definitions: [definition] }: DocumentNode): string {
  const name = definition?.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : undefined
  if (name === undefined) throw new Error("a recipe has a name")
  return name
}

/** The variables that the page shows for a document, with those of `others` that only come about in a test. */
export function readVariables<Variables>(
  document: DocumentNode & DocumentTypeDecoration<unknown, Variables>,
  others: Partial<Variables> = {},
): Variables {
  const recipe = listRecipes().find(({ name }) => name === toName(document))
  return { ...JSON.parse(recipe?.json ?? "{}"), ...others }
}
