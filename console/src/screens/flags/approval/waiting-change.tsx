import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import type { WaitingFlagChangesQuery } from "../../../graph/generated/graphql"
import { MemberFieldset } from "../../../project/member-fieldset"
import { useProject } from "../../../project/project"
import { useUser } from "../../../session/session"
import { Problem } from "../../../ui/problem"
import { Time } from "../../../ui/time"
import { useChange } from "../../../ui/use-change"
import { FieldChanges } from "../field-changes"
import { APPROVE_CHANGE, REJECT_CHANGE } from "./approval.queries"

type Waiting = NonNullable<WaitingFlagChangesQuery["featureFlagChangeRequests"]>["nodes"][number]

interface WaitingChangeProps {
  readonly of: Waiting
  readonly title: string
}

/** A change of a flag that waits for a second person, and the buttons of whoever that is. */
export function WaitingChange({ of: waiting, title }: WaitingChangeProps) {
  const { id: projectId } = useProject()
  const user = useUser()
  const [comment, setComment] = useState("")
  const approving = useChange(APPROVE_CHANGE, (data) => data.approveFeatureFlagChange)
  const rejecting = useChange(REJECT_CHANGE, (data) => data.rejectFeatureFlagChange)
  const { id, createdAt, createdBy, changes } = waiting
  const isOwn = createdBy?.number === user?.id
  const input = { projectId, id, comment }
  return (
    <Alert color="yellow" role="region" title={title} aria-label={`Request ${id}`}>
      <Stack gap="sm" align="stretch">
        <Text size="sm">
          {isOwn ? "You asked" : `${createdBy?.email ?? "Somebody"} asked`} for it <Time of={createdAt} />.
          {isOwn && " Somebody else has to approve it."}
        </Text>
        <FieldChanges of={changes} />
        <Problem of={approving.problem ?? rejecting.problem} />
        <MemberFieldset>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Comment"
              placeholder={isOwn ? "Why it is withdrawn" : "What is to be known of the decision"}
              w={320}
              value={comment}
              onChange={({ currentTarget: { value } }) => setComment(value)}
            />
            {!isOwn && (
              <Button loading={approving.isChanging} onClick={() => void approving.change({ input })}>
                Approve
              </Button>
            )}
            <Button variant="default" loading={rejecting.isChanging} onClick={() => void rejecting.change({ input })}>
              {isOwn ? "Withdraw" : "Reject"}
            </Button>
          </Group>
        </MemberFieldset>
      </Stack>
    </Alert>
  )
}
