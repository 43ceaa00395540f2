import { Button, Group, NativeSelect, Stack } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { MembersQuery } from "../../graph/generated/graphql"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { Problem } from "../../ui/problem"
import { ShownOnce } from "../../ui/shown-once"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { Invitations } from "./invitations"
import { Invite } from "./invite"
import { CHANGE_ROLE, MAKE_RESET_LINK, MEMBERS } from "./members.queries"
import { listGivenRoles, nameRole, type Organization } from "./organization"
import { RemoveMember } from "./remove-member"
import { Section } from "./section"

type Member = NonNullable<NonNullable<MembersQuery["organization"]>["members"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/settings"

interface MembersProps {
  readonly organization: Organization
  readonly mayChange: boolean
}

/** Who is in the organization and what they may do; admins ask people in, change roles and end memberships. */
export function Members({ organization, mayChange }: MembersProps) {
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: MEMBERS,
    variables: { organization: organization.uuid, first: PAGE_SIZE, after, withInvitations: mayChange },
    requestPolicy: "cache-and-network",
  })
  const askAgain = (): void => answer[1]({ requestPolicy: "network-only" })
  return (
    <Answer of={answer}>
      {({ organization: found, me }) => {
        const { nodes = [], pageInfo } = found?.members ?? {}
        return (
          <Stack gap="xl">
            {mayChange && (
              <Section title="Invite somebody">
                <Invite organization={organization} onInvited={askAgain} />
                <Invitations
                  organizationId={organization.uuid}
                  invitations={found?.invitations ?? []}
                  onWithdrawn={askAgain}
                />
              </Section>
            )}
            <Section title={`Members of ${organization.name}`}>
              <MemberTable
                organization={organization}
                members={nodes}
                ownNumber={me?.number ?? null}
                mayChange={mayChange}
                onChanged={askAgain}
              />
              {pageInfo?.hasNextPage && (
                <Button
                  variant="default"
                  style={{ alignSelf: "flex-start" }}
                  onClick={() => void navigate({ search: { tab: "members", after: pageInfo.endCursor ?? undefined } })}
                >
                  Next page
                </Button>
              )}
            </Section>
          </Stack>
        )
      }}
    </Answer>
  )
}

interface MemberTableProps extends MembersProps {
  readonly members: readonly Member[]
  /** Number of whoever looks at it; nobody changes their own membership here. */
  readonly ownNumber: number | null
  readonly onChanged: () => void
}

function MemberTable({ organization, members, ownNumber, mayChange, onChanged }: MemberTableProps) {
  const organizationId = organization.uuid
  const [removed, setRemoved] = useState<Member["user"] | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const roles = useChange(CHANGE_ROLE, (data) => data.updateOrganizationMember)
  const links = useChange(MAKE_RESET_LINK, (data) => data.createPasswordResetLink)
  const given = listGivenRoles(organization.role)
  const changeRole = async ({ user }: Member, chosen: string): Promise<void> => {
    const role = given.find(({ value }) => value === chosen)?.value
    if (role === undefined) return
    await roles.change({ input: { organizationId, userId: String(user.number), role } })
    onChanged()
  }
  const makeLink = async ({ user }: Member): Promise<void> => {
    const made = await links.change({ userId: String(user.number) })
    setLink(made?.createPasswordResetLink?.link?.url ?? null)
  }
  const canChange = ({ user, role }: Member): boolean =>
    mayChange && user.number !== ownNumber && (role !== "OWNER" || organization.role === "OWNER")
  const columns: readonly Column<Member>[] = [
    { title: "Name", cell: ({ user }) => `${user.firstName} ${user.lastName}`.trim() },
    { title: "E-mail", cell: ({ user }) => (user.number === ownNumber ? `${user.email} (you)` : user.email) },
    {
      title: "Role",
      cell: (member) =>
        canChange(member) ? (
          <NativeSelect
            aria-label={`Role of ${member.user.email}`}
            w={110}
            data={given}
            value={member.role}
            onChange={({ currentTarget }) => void changeRole(member, currentTarget.value)}
          />
        ) : (
          nameRole(member.role)
        ),
    },
    { title: "Joined", cell: ({ joinedAt }) => <Time of={joinedAt} /> },
    {
      title: "More",
      cell: (member) =>
        canChange(member) && (
          <Group gap={4} wrap="nowrap">
            {organization.role === "OWNER" && (
              <Button variant="subtle" size="compact-xs" onClick={() => void makeLink(member)}>
                Link for another password
              </Button>
            )}
            <Button variant="subtle" color="red" size="compact-xs" onClick={() => setRemoved(member.user)}>
              Remove
            </Button>
          </Group>
        ),
    },
  ]
  return (
    <>
      <Problem of={roles.problem ?? links.problem} />
      {link !== null && <ShownOnce what="Link for another password, good for a day" value={link} />}
      <DataTable
        label="Members"
        columns={mayChange ? columns : columns.slice(0, -1)}
        rows={members}
        toKey={({ user }) => user.id}
      />
      {removed !== null && (
        <RemoveMember
          organizationId={organizationId}
          member={removed}
          onRemoved={onChanged}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  )
}
