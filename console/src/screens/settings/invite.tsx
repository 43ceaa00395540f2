import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import type { OrganizationRole } from "../../graph/generated/graphql"
import { Problem } from "../../ui/problem"
import { ShownOnce } from "../../ui/shown-once"
import { useChange } from "../../ui/use-change"
import { INVITE } from "./members.queries"
import { listGivenRoles, type Organization } from "./organization"

interface InviteProps {
  readonly organization: Organization
  readonly onInvited: () => void
}

/** Asks somebody into the organization: gives a link, which the one who invites hands over. */
export function Invite({ organization, onInvited }: InviteProps) {
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<OrganizationRole>("MEMBER")
  const [link, setLink] = useState<string | null>(null)
  const { change, isChanging, problem } = useChange(INVITE, ({ inviteUser }) => inviteUser)
  const invite = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setLink(null)
    const made = await change({ input: { organizationId: organization.uuid, email, role, byLink: true } })
    if (made === null) return
    setLink(made.inviteUser?.invited?.invitationLink ?? null)
    setEmail("")
    onInvited()
  }
  const roles = listGivenRoles(organization.role)
  return (
    <form onSubmit={(event) => void invite(event)}>
      <Stack gap="xs" maw={560}>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="E-mail"
            type="email"
            required
            withAsterisk={false}
            flex="1 1 200px"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <NativeSelect
            label="Role"
            w={110}
            data={roles}
            value={role}
            onChange={({ currentTarget }) =>
              setRole(roles.find(({ value }) => value === currentTarget.value)?.value ?? role)
            }
          />
          <Button type="submit" loading={isChanging}>
            Invite
          </Button>
        </Group>
        <Problem of={problem} />
        {link !== null && <ShownOnce what="Link for them, good for seven days" value={link} />}
      </Stack>
    </form>
  )
}
