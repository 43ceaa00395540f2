import { Button } from "@mantine/core"
import type { MembersQuery } from "../../graph/generated/graphql"
import { type Column, DataTable } from "../../ui/data-table"
import { Problem } from "../../ui/problem"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { REMOVE_MEMBER } from "./members.queries"
import { nameRole } from "./organization"

type Invitation = NonNullable<NonNullable<MembersQuery["organization"]>["invitations"]>[number]

interface InvitationsProps {
  readonly organizationId: string
  readonly invitations: readonly Invitation[]
  readonly onWithdrawn: () => void
}

/** Who was asked into the organization and has not joined yet. */
export function Invitations({ organizationId, invitations, onWithdrawn }: InvitationsProps) {
  const { change, problem } = useChange(REMOVE_MEMBER, (data) => data.removeOrganizationMember)
  const withdraw = async ({ userNumber }: Invitation): Promise<void> => {
    if ((await change({ input: { organizationId, userId: String(userNumber) } })) !== null) onWithdrawn()
  }
  const columns: readonly Column<Invitation>[] = [
    { title: "Invited", cell: ({ email }) => email },
    { title: "As", cell: ({ role }) => nameRole(role) },
    { title: "Until", cell: ({ expiresAt }) => <Time of={expiresAt} /> },
    {
      title: "Withdraw",
      cell: (invitation) => (
        <Button variant="subtle" color="red" size="compact-xs" onClick={() => void withdraw(invitation)}>
          Withdraw
        </Button>
      ),
    },
  ]
  return (
    <>
      <Problem of={problem} />
      {invitations.length > 0 && (
        <DataTable
          label="Invitations"
          columns={columns}
          rows={invitations}
          toKey={({ userNumber }) => String(userNumber)}
        />
      )}
    </>
  )
}
