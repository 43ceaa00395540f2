import { Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "urql"
import { isWhole, toGraphFilter } from "../../filters/stored-filter"
import type { FlagReleaseConditionInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import type { Condition } from "./definition"
import { CONDITION_REACH } from "./flags.queries"

const TYPING_MS = 400

interface ReachProps {
  readonly condition: Condition
  /** Groups of which type are counted; null for persons. */
  readonly groupTypeIndex: number | null
  /** What they are called, as in "persons". */
  readonly whom: string
}

/** How many a condition is about, whatever its share, as it is being written. Other flags are left out of it. */
export function Reach({ condition, groupTypeIndex, whom }: ReachProps) {
  const project = useProject()
  const [settled] = useDebouncedValue(condition, TYPING_MS)
  const asked = toReachInput(settled)
  const [{ data }] = useQuery({
    query: CONDITION_REACH,
    variables: { projectId: project.id, condition: asked ?? {}, groupTypeIndex },
    pause: asked === null,
  })
  const reach = data?.conditionReach
  if (asked === null || !reach) return null
  const withFlags = condition.filters.some(({ type }) => type === "flag") ? ", before other flags" : ""
  return (
    <Text size="sm" c="dimmed" pb={6}>
      {`${reach.isEstimated ? "about " : ""}${reach.affected.toLocaleString()} of ${reach.total.toLocaleString()} `}
      {`${whom} fit${withFlags}`}
    </Text>
  )
}

/** What is asked about a condition; null while it is not whole, or where the graph has no words for a part of it. */
function toReachInput({ filters }: Condition): FlagReleaseConditionInput | null {
  const counted = filters.filter(({ type }) => type !== "flag")
  const properties = counted.flatMap((filter) => (isWhole(filter) ? (toGraphFilter(filter) ?? []) : []))
  return properties.length === counted.length ? { properties } : null
}
