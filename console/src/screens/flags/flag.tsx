import { Button, Group, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useQuery } from "urql"
import type { FlagQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PartTabs } from "../../ui/part-tabs"
import { Time } from "../../ui/time"
import { ActiveSwitch } from "./active-switch"
import { readDefinition } from "./definition"
import { FlagRules } from "./flag-rules"
import { FLAG_TABS } from "./flag-search"
import { FlagTester } from "./flag-tester"
import { FLAG } from "./flags.queries"
import type { AskedFlag } from "./snippets"

const CopyDialog = lazy(async () => ({ default: (await import("./copy-dialog")).CopyDialog }))
const FlagCode = lazy(async () => ({ default: (await import("./flag-code")).FlagCode }))
const FlagHistory = lazy(async () => ({ default: (await import("./flag-history")).FlagHistory }))
const FlagUsage = lazy(async () => ({ default: (await import("./flag-usage")).FlagUsage }))

const FROM = "/project/$project/flags/$key"

/** One flag: who gets it, whom it is tried on, what was called, how code asks for it, and who changed it. */
export function Flag() {
  const project = useProject()
  const { key } = useParams({ from: FROM })
  const { tab } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({ query: FLAG, variables: { projectId: project.id, key } })
  const [isCopying, setCopying] = useState(false)
  const actions = (
    <Button variant="default" onClick={() => setCopying(true)}>
      Copy to a project
    </Button>
  )
  return (
    <Page title={key} actions={actions}>
      <Answer of={answer}>
        {({ featureFlag: flag, groupTypes }) =>
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
              <PartTabs
                names={FLAG_TABS}
                shown={tab}
                onShow={(chosen) => void navigate({ search: (old) => ({ ...old, tab: chosen }) })}
                parts={{
                  rules: {
                    title: "Who gets it",
                    content: <FlagRules key={flag.version} flag={flag} groupTypes={groupTypes} />,
                  },
                  test: { title: "Try it", content: <FlagTester flagKey={flag.key} /> },
                  usage: { title: "Calls", content: <FlagUsage flagKey={flag.key} /> },
                  code: { title: "In code", content: <FlagCode flag={toAsked(flag)} /> },
                  history: { title: "History", content: <FlagHistory flagKey={flag.key} /> },
                }}
              />
            </>
          )
        }
      </Answer>
      {isCopying && (
        <Suspense>
          <CopyDialog flagKey={key} onClose={() => setCopying(false)} />
        </Suspense>
      )}
    </Page>
  )
}

/** A flag as the snippets ask for it: by the last of its variants, which is rarely the one that changes nothing. */
function toAsked({ key, filters }: NonNullable<FlagQuery["featureFlag"]>): AskedFlag {
  const { variants, payload } = readDefinition(filters?.raw)
  const variant = variants.at(-1) ?? null
  return { key, variant: variant?.key ?? null, hasPayload: (variant?.payload ?? payload) !== "" }
}
