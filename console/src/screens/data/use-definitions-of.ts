import { useMemo } from "react"
import { useQuery } from "urql"
import type { DefinitionsOfEventsQuery, DefinitionsOfPropertiesQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { DEFINITIONS_OF_EVENTS, DEFINITIONS_OF_PROPERTIES } from "./data.queries"

/** What people say of a name of events or of their properties. */
export type Definition =
  | NonNullable<DefinitionsOfEventsQuery["eventDefinitions"]>["nodes"][number]
  | NonNullable<DefinitionsOfPropertiesQuery["propertyDefinitions"]>["nodes"][number]

/** What has names. */
export type NamedThing = "events" | "properties"

/** What people say of some names; those that the server has not noted have no place in it. */
export function useDefinitionsOf(of: NamedThing, names: readonly string[]): ReadonlyMap<string, Definition> {
  const { id: projectId } = useProject()
  const variables = { projectId, names: [...names] }
  const isOfEvents = of === "events"
  const [events] = useQuery({ query: DEFINITIONS_OF_EVENTS, variables, pause: !isOfEvents || names.length === 0 })
  const [properties] = useQuery({
    query: DEFINITIONS_OF_PROPERTIES,
    variables,
    pause: isOfEvents || names.length === 0,
  })
  const nodes = isOfEvents ? events.data?.eventDefinitions?.nodes : properties.data?.propertyDefinitions?.nodes
  return useMemo(
    () => new Map<string, Definition>((nodes ?? []).map((definition) => [definition.name, definition])),
    [nodes],
  )
}
