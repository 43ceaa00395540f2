import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { useQuery } from "urql"
import type { WaitingFlagChangesQuery } from "../../../graph/generated/graphql"
import { useProject } from "../../../project/project"
import { useUser } from "../../../session/session"
import { Problem } from "../../../ui/problem"
import { Time } from "../../../ui/time"
import { useChange } from "../../../ui/use-change"
import { FieldChanges } from "../field-changes"
import { AFTER_CHANGES } from "../flags.queries"
import { APPROVE_CHANGE, REJECT_CHANGE, WAITING_CHANGES } from "./approval.queries"

type Waiting = NonNullable<WaitingFlagChangesQuery["featureFlagChangeRequests"]>["nodes"][number]

/** More than these at once nobody decides about one flag. */
const SHOWN = 10

/** Changes of a flag that wait for a second person, and the buttons of whoever that is. */
export function WaitingChanges({ flagNumber }: { readonly flagNumber: number }) {
  const { id: projectId } = useProject()
  const [{ data }, ask] = useQuery({
    query: WAITING_CHANGES,
    variables: { projectId, flag: String(flagNumber), first: SHOWN },
    requestPolicy: "cache-and-network",
    context: AFTER_CHANGES,
  })
  const reload = (): void => ask({ requestPolicy: "network-only" })
  return data?.featureFlagChangeRequests?.nodes.map((waiting) => (
    <WaitingChange key={waiting.id} of={waiting} onDecided={reload} />
  ))
}

function WaitingChange({ of: waiting, onDecided }: { readonly of: Waiting; readonly onDecided: () => void }) {
  const { id: projectId } = useProject()
  const user = useUser()
  const [comment, setComment] = useState("")
  const approving = useChange(APPROVE_CHANGE, (data) => data.approveFeatureFlagChange)
  const rejecting = useChange(REJECT_CHANGE, (data) => data.rejectFeatureFlagChange)
  const { id, createdAt, createdBy, changes } = waiting
  const isOwn = createdBy?.number === user?.id
  const input = { projectId, id, comment }
  const approve = async (): Promise<void> => {
    if ((await approving.change({ input })) !== null) onDecided()
  }
  const reject = async (): Promise<void> => {
    if ((await rejecting.change({ input })) !== null) onDecided()
  }
  return (
    <Alert color="yellow" role="region" title="A change waits for a second person" aria-label={`Request ${id}`}>
      <Stack gap="sm" align="stretch">
        <Text size="sm">
          {isOwn ? "You asked" : `${createdBy?.email ?? "Somebody"} asked`} for it <Time of={createdAt} />.
          {isOwn && " Somebody else has to approve it."}
        </Text>
        <FieldChanges of={changes} />
        <Problem of={approving.problem ?? rejecting.problem} />
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Comment"
            placeholder={isOwn ? "Why it is withdrawn" : "What is to be known of the decision"}
            w={320}
            value={comment}
            onChange={({ currentTarget: { value } }) => setComment(value)}
          />
          {!isOwn && (
            <Button loading={approving.isChanging} onClick={() => void approve()}>
              Approve
            </Button>
          )}
          <Button variant="default" loading={rejecting.isChanging} onClick={() => void reject()}>
            {isOwn ? "Withdraw" : "Reject"}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
