import { Button, Group, Menu, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useQuery } from "urql"
import type { FlagQuery } from "../../graph/generated/graphql"
import { MemberFieldset } from "../../project/member-fieldset"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Deleted } from "../../ui/deleted"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PartTabs } from "../../ui/part-tabs"
import { Problem } from "../../ui/problem"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { useSoftDelete } from "../../ui/use-soft-delete"
import { ActiveSwitch } from "./active-switch"
import { readDefinition } from "./definition"
import { FlagRules } from "./flag-rules"
import { FLAG_TABS } from "./flag-search"
import { AFTER_CHANGES, FLAG, UPDATE_FLAG } from "./flags.queries"
import type { AskedFlag } from "./snippets"

const CopyDialog = lazy(async () => ({ default: (await import("./copy-dialog")).CopyDialog }))
const RenameDialog = lazy(async () => ({ default: (await import("./rename-dialog")).RenameDialog }))
const EarlyAccess = lazy(async () => ({ default: (await import("./early-access")).EarlyAccess }))
const FlagCode = lazy(async () => ({ default: (await import("./flag-code")).FlagCode }))
const FlagHistory = lazy(async () => ({ default: (await import("./flag-history")).FlagHistory }))
const FlagSchedule = lazy(async () => ({ default: (await import("./schedule/flag-schedule")).FlagSchedule }))
const FlagTester = lazy(async () => ({ default: (await import("./flag-tester")).FlagTester }))
const FlagUsage = lazy(async () => ({ default: (await import("./flag-usage")).FlagUsage }))

const WaitingChanges = lazy(async () => ({
  default: (await import("./approval/waiting-changes")).WaitingChanges,
}))

const FROM = "/project/$project/flags/$key"

/** The flag of the address, or the way back to it once it was deleted here. */
export function Flag() {
  const project = useProject()
  const { key } = useParams({ from: FROM })
  const answer = useQuery({ query: FLAG, variables: { projectId: project.id, key }, context: AFTER_CHANGES })
  const { deletedId, onDeleted, onRestored } = useSoftDelete(answer)
  const { change, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  if (deletedId !== null) {
    const restore = async (): Promise<void> => {
      if ((await change({ input: { projectId: project.id, id: deletedId, deleted: false } })) !== null) onRestored()
    }
    return (
      <Page title={key}>
        <Deleted what="flag" onRestore={() => void restore()} problem={problem} />
      </Page>
    )
  }
  return (
    <Answer of={answer}>
      {({ featureFlag: flag, groupTypes }) =>
        flag === null || flag === undefined ? (
          <Page title={key}>
            <EmptyState title="There is no such flag" hint="It may have been deleted, or its key has changed." />
          </Page>
        ) : (
          <Found flag={flag} groupTypes={groupTypes} onDeleted={() => onDeleted(String(flag.number))} />
        )
      }
    </Answer>
  )
}

interface FoundProps {
  readonly flag: NonNullable<FlagQuery["featureFlag"]>
  readonly groupTypes: FlagQuery["groupTypes"]
  readonly onDeleted: () => void
}

/** One flag: who gets it, whom it is tried on, what was called, how code asks for it, and who changed it. */
function Found({ flag, groupTypes, onDeleted }: FoundProps) {
  const project = useProject()
  const { tab } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [dialog, setDialog] = useState<"copy" | "rename" | null>(null)
  const { change, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  const { number, key, version, name, active, updatedAt, lastModifiedBy, dependents, changeRequests } = flag
  const remove = async (): Promise<void> => {
    if ((await change({ input: { projectId: project.id, id: String(number), version, deleted: true } })) !== null)
      onDeleted()
  }
  const actions = project.mayWrite && (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">More</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => setDialog("rename")}>Rename</Menu.Item>
        <Menu.Item onClick={() => setDialog("copy")}>Copy to a project</Menu.Item>
        <Menu.Item color="red" onClick={() => void remove()}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
  return (
    <Page title={key} actions={actions}>
      <Problem of={problem} />
      <Group gap="sm">
        <ActiveSwitch of={flag} />
        <Text size="sm">{active ? "On" : "Off for everybody"}</Text>
        <Text size="sm" c="dimmed">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          Changed <Time of={updatedAt} /> {lastModifiedBy ? `by ${lastModifiedBy.email}` : ""}
        </Text>
      </Group>
      {(dependents?.length ?? 0) > 0 && (
        <Text size="sm">{`Flags that depend on it: ${dependents?.map((one) => one.key).join(", ")}`}</Text>
      )}
      {(changeRequests?.nodes.length ?? 0) > 0 && (
        <Suspense>
          <WaitingChanges flagNumber={number} />
        </Suspense>
      )}
      <PartTabs
        names={FLAG_TABS}
        shown={tab}
        onShow={(chosen) => void navigate({ search: (old) => ({ ...old, tab: chosen }) })}
        parts={{
          rules: {
            title: "Who gets it",
            content: (
              <MemberFieldset>
                <FlagRules key={version} flag={flag} groupTypes={groupTypes} />
              </MemberFieldset>
            ),
          },
          test: { title: "Try it", content: <FlagTester flagKey={key} /> },
          usage: { title: "Calls", content: <FlagUsage flagKey={key} /> },
          code: { title: "In code", content: <FlagCode flag={toAsked(flag)} /> },
          schedule: { title: "Schedule", content: <FlagSchedule flag={flag} /> },
          early: {
            title: "Early access",
            content: (
              <MemberFieldset>
                <EarlyAccess key={version} flag={flag} />
              </MemberFieldset>
            ),
          },
          history: { title: "History", content: <FlagHistory flagKey={key} /> },
        }}
      />
      <Suspense>
        {dialog === "copy" && <CopyDialog flagKey={key} onClose={() => setDialog(null)} />}
        {dialog === "rename" && <RenameDialog flag={flag} onClose={() => setDialog(null)} />}
      </Suspense>
    </Page>
  )
}

/** A flag as the snippets ask for it: by the last of its variants, which is rarely the one that changes nothing. */
function toAsked({ key, filters }: NonNullable<FlagQuery["featureFlag"]>): AskedFlag {
  const { variants, payload } = readDefinition(filters?.raw)
  const variant = variants.at(-1) ?? null
  return { key, variant: variant?.key ?? null, hasPayload: (variant?.payload ?? payload) !== "" }
}
