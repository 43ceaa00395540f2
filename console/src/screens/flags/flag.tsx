import { Group, Tabs, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { Time } from "../../ui/time"
import { ActiveSwitch } from "./active-switch"
import { FlagHistory } from "./flag-history"
import { FlagRules } from "./flag-rules"
import type { FlagTab } from "./flag-search"
import { FlagTester } from "./flag-tester"
import { FLAG } from "./flags.queries"

const FROM = "/project/$project/flags/$key"

/** One flag: who gets it, whom it is tried on, and who changed it. */
export function Flag() {
  const project = useProject()
  const { key } = useParams({ from: FROM })
  const { tab = "rules" } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({ query: FLAG, variables: { projectId: project.id, key } })
  return (
    <Page title={key}>
      <Answer of={answer}>
        {({ featureFlag: flag }) =>
          flag === null || flag === undefined ? (
            <EmptyState title="There is no such flag" hint="It may have been deleted, or its key has changed." />
          ) : (
            <>
              <Group gap="sm">
                <ActiveSwitch of={flag} />
                <Text size="sm">{flag.active ? "On" : "Off for everybody"}</Text>
                <Text size="sm" c="dimmed">
                  {flag.name}
                </Text>
                <Text size="sm" c="dimmed">
                  Changed <Time of={flag.updatedAt} /> {flag.lastModifiedBy ? `by ${flag.lastModifiedBy.email}` : ""}
                </Text>
              </Group>
              {(flag.dependents?.length ?? 0) > 0 && (
                <Text size="sm">{`Flags that depend on it: ${flag.dependents?.map((one) => one.key).join(", ")}`}</Text>
              )}
              <Tabs
                value={tab}
                keepMounted={false}
                onChange={(chosen) => void navigate({ search: (old) => ({ ...old, tab: chosen as FlagTab }) })}
              >
                <Tabs.List>
                  <Tabs.Tab value="rules">Who gets it</Tabs.Tab>
                  <Tabs.Tab value="test">Try it</Tabs.Tab>
                  <Tabs.Tab value="history">History</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="rules" pt="md">
                  <FlagRules key={flag.version} flag={flag} />
                </Tabs.Panel>
                <Tabs.Panel value="test" pt="md">
                  <FlagTester flagKey={flag.key} />
                </Tabs.Panel>
                <Tabs.Panel value="history" pt="md">
                  <FlagHistory flagKey={flag.key} />
                </Tabs.Panel>
              </Tabs>
            </>
          )
        }
      </Answer>
    </Page>
  )
}
