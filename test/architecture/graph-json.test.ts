import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from "graphql"

/** Fields of the graph that are JSON, and why no type can say more; none comes without a reason. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  "what users define": [
    "CaptureInput.properties",
    "CapturedEventInput.properties",
    "Event.properties",
    "FlagDecisionEntry.payload",
    "FlagDecisionInput.groupProperties",
    "FlagDecisionInput.personProperties",
    "FlagExplanationInput.groupProperties",
    "FlagExplanationInput.personProperties",
    "FlagPayload.payload",
    "FlagPayloadInput.payload",
    "Group.properties",
    "HogQLInput.values",
    "HogQLInput.variables",
    "LiveEvent.properties",
    "Person.properties",
    "Query.remoteConfigPayload",
    "TableResult.rows",
    "UpdatePersonInput.set",
  ],
  "a value of a property, which may be of any kind": [
    "ActivityChange.after",
    "ActivityChange.before",
    "FlagFilterExplanation.actual",
    "FlagFilterExplanation.expected",
    "GroupConditionInput.value",
    "PersonPropertyFilter.value",
    "PersonPropertyValue.value",
    "PropertyConditionInput.value",
    "PropertyFilter.value",
    "QueriedPropertyValue.value",
    "RecordingConditionInput.value",
  ],
  "options that a plugin or a client defines": [
    "CreatePluginConfigInput.config",
    "Me.hedgehogConfig",
    "PluginConfig.config",
    "UpdateMeInput.hedgehogConfig",
    "UpdatePluginConfigInput.config",
    "User.hedgehogConfig",
  ],
  "a query or an answer as REST has it, for kinds without a type": [
    "DashboardTile.query",
    "FlagDefinitions.body",
    "Insight.query",
    "Query.draftSql(query)",
    "QueryAnswer.answer",
    "QueryInput.raw",
    "QueryRun.answer",
    "QueryRun.wire",
  ],
  "all of what is stored as REST has it, beside the types of what is known": [
    "CohortFilters.raw",
    "CohortFiltersInput.raw",
    "DashboardFilters.raw",
    "DashboardFiltersInput.raw",
    "FeatureFlagFilters.raw",
    "FeatureFlagFiltersInput.raw",
    "ProjectSettings.raw",
    "ProjectSettingsInput.raw",
    "SavedRecordingFilters.raw",
    "SavedRecordingFiltersInput.raw",
  ],
}

const schema = buildSchema(readFileSync("schema.graphql", "utf8"))

/** Paths of fields and arguments of this type; a field that an interface has is told of the interface alone. */
function listFieldsOf(wanted: string): string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith("__")) return []
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return []
    const inherited = isInputObjectType(type) ? [] : type.getInterfaces().flatMap((one) => Object.keys(one.getFields()))
    const fields: (GraphQLField<unknown, unknown> | GraphQLInputField)[] = Object.values(type.getFields())
    return fields.flatMap((field) => {
      const args = "args" in field ? field.args.filter((argument) => getNamedType(argument.type).name === wanted) : []
      const isOwn = getNamedType(field.type).name === wanted && !inherited.includes(field.name)
      const path = `${type.name}.${field.name}`
      return [...(isOwn ? [path] : []), ...args.map(({ name }) => `${path}(${name})`)]
    })
  })
}

describe("JSON in the graph", () => {
  test("stands only where a type could not say more, each time for a reason", () => {
    expect(listFieldsOf("JSON").sort()).toEqual(Object.values(REASONS).flat().sort())
  })
})
