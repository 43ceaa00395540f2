import { useQuery } from "urql"
import type { GroupFlagsQuery, GroupName } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { DecidedFlags } from "../../tables/decided-flags"
import { Answer } from "../../ui/answer"
import { GROUP_FLAGS } from "./groups.queries"

type Flag = NonNullable<GroupFlagsQuery["featureFlags"]>["nodes"][number]

interface GroupFlagsProps {
  readonly group: GroupName
  /** Name of its type. */
  readonly type: string
}

/** What the flags about groups of this type are for the group, decided anew, and why. */
export function GroupFlags({ group: { typeIndex, key }, type }: GroupFlagsProps) {
  const { id: projectId } = useProject()
  const isAboutType = ({ filters }: Flag): boolean =>
    [filters, ...(filters?.conditions ?? [])].some((one) => one?.groupTypeIndex === typeIndex)
  const answer = useQuery({
    query: GROUP_FLAGS,
    variables: { projectId, for: { distinctId: "", groups: [{ type, key }] } },
    requestPolicy: "network-only",
  })
  return (
    <Answer of={answer}>
      {({ flagEvaluations, featureFlags }) => {
        const about = new Set(featureFlags?.nodes.filter(isAboutType).map((flag) => flag.key))
        return (
          <DecidedFlags
            flags={flagEvaluations?.filter((one) => about.has(one.key)) ?? []}
            emptyHint={`No flag of the project is about groups of the type ${type}.`}
          />
        )
      }}
    </Answer>
  )
}
