import { useMemo } from "react"
import { useQuery } from "urql"
import type { SaidOfEventsQuery, SaidOfPropertiesQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { SAID_OF_EVENTS, SAID_OF_PROPERTIES } from "./data.queries"

/** What people say of a name of events or of their properties. */
export type Said =
  | NonNullable<SaidOfEventsQuery["eventDefinitions"]>["nodes"][number]
  | NonNullable<SaidOfPropertiesQuery["propertyDefinitions"]>["nodes"][number]

/** What has names. */
export type NamedThing = "events" | "properties"

/** What people say of some names; those that the server has not noted have no place in it. */
export function useSaid(of: NamedThing, names: readonly string[]): ReadonlyMap<string, Said> {
  const { id: projectId } = useProject()
  const variables = { projectId, names: [...names] }
  const isOfEvents = of === "events"
  const [events] = useQuery({ query: SAID_OF_EVENTS, variables, pause: !isOfEvents || names.length === 0 })
  const [properties] = useQuery({ query: SAID_OF_PROPERTIES, variables, pause: isOfEvents || names.length === 0 })
  const nodes = isOfEvents ? events.data?.eventDefinitions?.nodes : properties.data?.propertyDefinitions?.nodes
  return useMemo(() => new Map<string, Said>((nodes ?? []).map((said) => [said.name, said])), [nodes])
}
