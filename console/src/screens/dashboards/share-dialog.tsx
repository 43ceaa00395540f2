import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { useQuery } from "urql"
import type { ShareLinksQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { Problem } from "../../ui/problem"
import { ShownOnce } from "../../ui/shown-once"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { CREATE_SHARE_LINK, REVOKE_SHARE_LINK, SHARE_LINKS } from "./dashboards.queries"

type Link = NonNullable<NonNullable<ShareLinksQuery["dashboard"]>["shareLinks"]>[number]

const DAY_MS = 86_400_000
const LIFETIMES = [
  { value: "7", label: "for a week" },
  { value: "30", label: "for 30 days" },
  { value: "90", label: "for 90 days" },
  { value: "365", label: "for a year" },
]

interface ShareDialogProps {
  readonly dashboardId: string
  readonly onClose: () => void
}

/** Links with which anybody reads a dashboard: makes one, whose address is shown this once, lists and revokes them. */
export function ShareDialog({ dashboardId, onClose }: ShareDialogProps) {
  const { id: projectId } = useProject()
  const [label, setLabel] = useState("")
  const [days, setDays] = useState("30")
  const [address, setAddress] = useState<string | null>(null)
  const creation = useChange(CREATE_SHARE_LINK, (data) => data.createDashboardShareLink)
  const revocation = useChange(REVOKE_SHARE_LINK, (data) => data.revokeDashboardShareLink)
  const answer = useQuery({
    query: SHARE_LINKS,
    variables: { projectId, id: dashboardId },
    requestPolicy: "network-only",
  })
  const askAgain = (): void => answer[1]({ requestPolicy: "network-only" })

  const make = async (): Promise<void> => {
    const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    const made = await creation.change({ input: { projectId, id: dashboardId, label, expiresAt } })
    const token = made?.createDashboardShareLink?.shareLink?.token
    if (token === undefined) return
    setAddress(new URL(`/shared/${token}`, location.href).href)
    askAgain()
  }
  const end = async (id: string): Promise<void> => {
    await revocation.change({ input: { projectId, id } })
    askAgain()
  }
  const columns: readonly Column<Link>[] = [
    { title: "For", cell: (link) => link.label || link.maskedToken },
    { title: "Until", cell: ({ expiresAt }) => <Time of={expiresAt} /> },
    {
      title: "Revoke",
      cell: ({ id }) => (
        <Button variant="subtle" color="red" size="compact-xs" onClick={() => void end(id)}>
          Revoke
        </Button>
      ),
    },
  ]

  return (
    <Modal opened onClose={onClose} title="Share" size="lg">
      <Stack gap="md">
        <Text size="sm">
          Whoever has a link sees the name, the tiles and what they come to, without signing in, and nothing else.
        </Text>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="For whom"
            flex={1}
            value={label}
            onChange={({ currentTarget: { value } }) => setLabel(value)}
          />
          <Select
            aria-label="How long"
            w={130}
            data={LIFETIMES}
            allowDeselect={false}
            value={days}
            onChange={(chosen) => chosen !== null && setDays(chosen)}
          />
          <Button loading={creation.isChanging} onClick={() => void make()}>
            Make a link
          </Button>
        </Group>
        <Problem of={creation.problem ?? revocation.problem} />
        {address !== null && <ShownOnce what="Link" value={address} />}
        <Answer of={answer}>
          {({ dashboard }) =>
            dashboard?.shareLinks?.length ? (
              <DataTable label="Links" columns={columns} rows={dashboard.shareLinks} toKey={({ id }) => id} />
            ) : null
          }
        </Answer>
      </Stack>
    </Modal>
  )
}
