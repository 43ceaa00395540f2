import { useQuery } from "urql"
import { useProject } from "../../../project/project"
import { AFTER_CHANGES } from "../flags.queries"
import { WAITING_CHANGES } from "./approval.queries"
import { WaitingChange } from "./waiting-change"

/** More than these at once nobody decides about one flag. */
const SHOWN = 10

/** Changes of a flag that wait for a second person. */
export function WaitingChanges({ flagNumber }: { readonly flagNumber: number }) {
  const { id: projectId } = useProject()
  const [{ data }] = useQuery({
    query: WAITING_CHANGES,
    variables: { projectId, flag: String(flagNumber), first: SHOWN },
    requestPolicy: "cache-and-network",
    context: AFTER_CHANGES,
  })
  return data?.featureFlagChangeRequests?.nodes.map((waiting) => (
    <WaitingChange key={waiting.id} of={waiting} title="A change waits for a second person" />
  ))
}
