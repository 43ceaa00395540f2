import { useMemo } from "react"
import { useQuery } from "urql"
import { useProject } from "../project/project"
import { EVENT_DEFINITIONS, PROPERTY_DEFINITIONS } from "./names.queries"

/** What people say of a name. */
export interface Definition {
  readonly name: string
  readonly description: string
  readonly isVerified: boolean
  /** Whether it is not offered. */
  readonly isHidden: boolean
}

/** Answers without a single one are asked anew too, when one is written. */
const AGAIN = {
  event: { additionalTypenames: ["EventDefinition"] },
  property: { additionalTypenames: ["PropertyDefinition"] },
}

/** Whose names they are. */
export type NameOwner = "events" | "event" | "person"

interface Definitions {
  readonly definitions: ReadonlyMap<string, Definition>
  /** Whether none have come yet, and some may. */
  readonly isLoading: boolean
}

/**
 * What people say of the names of events, or of properties of events or persons, by name. Names of which nobody has
 * said anything have no place in it, nor have those beyond the first 1,000.
 */
export function useDefinitions(of: NameOwner): Definitions {
  const { id: projectId } = useProject()
  const isOfEvents = of === "events"
  const [events] = useQuery({
    query: EVENT_DEFINITIONS,
    variables: { projectId },
    context: AGAIN.event,
    pause: !isOfEvents,
  })
  const [properties] = useQuery({
    query: PROPERTY_DEFINITIONS,
    variables: { projectId, of: of === "person" ? "PERSON" : "EVENT" },
    context: AGAIN.property,
    pause: isOfEvents,
  })
  const nodes = isOfEvents ? events.data?.eventDefinitions?.nodes : properties.data?.propertyDefinitions?.nodes
  const definitions = useMemo(() => new Map((nodes ?? []).map((definition) => [definition.name, definition])), [nodes])
  return { definitions, isLoading: nodes === undefined && (isOfEvents ? events : properties).fetching }
}
