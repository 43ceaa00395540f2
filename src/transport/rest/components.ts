import { isDeepStrictEqual } from "node:util"
import type { JsonSchema } from "../../kernel/json-schema.js"

/** What a GraphQL field, such as `Cohort.name`, is said to be; undefined for one that there is not. */
export type DescribeField = (field: string) => string | undefined

/** Keyword of a property: the GraphQL field whose text is its description. */
export const COMES_FROM = "x-comes-from"

/** Gathers the schemas of a document that have a title under it, so that each is written once. */
export interface Components {
  readonly schemas: Record<string, JsonSchema>
  /**
   * The schema with a reference in the place of each that has a title, itself included.
   * @throws Error when two schemas have one title.
   */
  refer(schema: JsonSchema): JsonSchema
}

/**
 * @param describe gives each property of a resource the text of the GraphQL field that it comes from.
 * @param given schemas that replace those of the same title.
 */
export function createComponents(
  describe: DescribeField,
  given: Readonly<Record<string, JsonSchema>> = {},
): Components {
  const schemas: Record<string, JsonSchema> = {}
  const refer = (schema: JsonSchema): JsonSchema => {
    const { title } = schema
    if (typeof title !== "string") return referInside(schema)
    const whole = { title, ...referInside(given[title] ?? schema) }
    if (schemas[title] !== undefined && !isDeepStrictEqual(schemas[title], whole))
      throw new Error(`two schemas are called ${title}`)
    schemas[title] = whole
    return { $ref: `#/components/schemas/${title}` }
  }
  const referInside = ({ title: _, ...schema }: JsonSchema): JsonSchema => ({
    ...schema,
    ...mapSchemas(schema, ({ [COMES_FROM]: field, ...inner }) => {
      const description = typeof field === "string" ? describe(field) : undefined
      return { ...refer(inner), ...(description !== undefined && { description }) }
    }),
  })
  return { schemas, refer }
}

/** The keywords of a schema that hold other schemas, with each of those changed. */
export function mapSchemas(
  { properties, items, anyOf, additionalProperties: extras }: JsonSchema,
  change: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  return {
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, change(inner as JsonSchema)]),
      ),
    }),
    ...(isSchema(items) && { items: change(items) }),
    ...(isSchema(extras) && { additionalProperties: change(extras) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one: JsonSchema) => change(one)) }),
  }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
