import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PartTabs } from "../../ui/part-tabs"
import { SETTINGS } from "./settings.queries"
import { SETTINGS_TABS } from "./settings-search"

// Each tab is loaded when it is looked at: they have little in common.
const ProjectSettings = lazy(async () => ({ default: (await import("./project-settings")).ProjectSettings }))
const EventSettings = lazy(async () => ({ default: (await import("./event-settings")).EventSettings }))
const Members = lazy(async () => ({ default: (await import("./members")).Members }))
const Keys = lazy(async () => ({ default: (await import("./keys")).Keys }))
const Exports = lazy(async () => ({ default: (await import("./exports/exports")).Exports }))
const Account = lazy(async () => ({ default: (await import("./account")).Account }))
const Log = lazy(async () => ({ default: (await import("./log")).Log }))
const Usage = lazy(async () => ({ default: (await import("./usage")).Usage }))

const FROM = "/project/$project/settings"

/** What holds for the project, who may do what, and what is one's own; the role decides what can be changed. */
export function Settings() {
  const { id } = useProject()
  const { tab } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({ query: SETTINGS, variables: { number: Number(id) } })
  return (
    <Page title="Settings">
      <Answer of={answer}>
        {({ project }) => {
          const organization = project?.organization ?? null
          if (organization === null) return NO_PROJECT
          const mayChange = organization.role === "OWNER" || organization.role === "ADMIN"
          return (
            <PartTabs
              names={SETTINGS_TABS}
              shown={tab}
              onShow={(chosen) => void navigate({ search: { tab: chosen } })}
              parts={{
                project: { title: "Project", content: <ProjectSettings mayChange={mayChange} /> },
                events: { title: "Events", content: <EventSettings mayChange={mayChange} /> },
                members: { title: "Members", content: <Members organization={organization} mayChange={mayChange} /> },
                keys: { title: "Keys", content: <Keys mayChange={mayChange} /> },
                exports: { title: "Exports", content: <Exports /> },
                account: { title: "Your account", content: <Account /> },
                log: { title: "Audit log", content: <Log /> },
                usage: { title: "Usage", content: <Usage /> },
              }}
            />
          )
        }}
      </Answer>
    </Page>
  )
}

const NO_PROJECT = <EmptyState title="There is no such project" hint="You may not be a member of it any more." />
