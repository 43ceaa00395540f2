import { type GraphQLSchema, isInterfaceType, isObjectType } from "graphql"

/** What the schema says of a field, such as `Cohort.name`; undefined when it has none of that name. */
export function findDescription(schema: GraphQLSchema, field: string): string | undefined {
  const [typeName = "", fieldName = ""] = field.split(".")
  const type = schema.getType(typeName)
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined
  return type.getFields()[fieldName]?.description ?? undefined
}
