import { AppShell, Burger, Group, ScrollArea, Skeleton } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { Outlet, useParams } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { ShellQuery } from "../graph/generated/graphql"
import { graphql } from "../graph/graphql"
import { type Project, ProjectProvider } from "../project/project"
import { Answer } from "../ui/answer"
import { EmptyState } from "../ui/empty-state"
import { AccountMenu } from "./account-menu"
import { Navigation } from "./navigation"
import { Palette, PaletteButton } from "./palette"
import { ProjectSwitcher } from "./project-switcher"
import { ThemeSwitch } from "./theme-switch"

const SHELL = graphql(`
  query Shell {
    me {
      id
      email
      currentProjectId
      organizations {
        id
        uuid
        role
      }
    }
    projects(first: 1000) {
      nodes {
        id
        number
        name
        timezone
        organizationId
      }
    }
  }
`)

/** The project that an address names: by its number, or as `@current` the one that the caller is in. */
function findProject(named: string, data: ShellQuery | undefined): Project | null {
  const number = named === "@current" ? data?.me?.currentProjectId : Number(named)
  const found = data?.projects?.nodes.find((project) => project.number === number)
  if (found === undefined) return null
  const { name, timezone, organizationId } = found
  const mayWrite = data?.me?.organizations.find(({ uuid }) => uuid === organizationId)?.role !== "VIEWER"
  return { id: String(found.number), name, timezone, mayWrite }
}

/** What is around every screen of a project: navigation, project switcher, palette, theme and account. */
export function Shell() {
  const { project: named } = useParams({ from: "/project/$project" })
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const answer = useQuery({ query: SHELL })
  const [{ data }] = answer
  const project = findProject(named, data)

  return (
    <AppShell
      layout="alt"
      header={{ height: 48 }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" justify="space-between" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <PaletteButton />
          <Group gap="xs" wrap="nowrap">
            <ThemeSwitch />
            <AccountMenu email={data?.me?.email ?? ""} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Main" data-open={isOpen || undefined}>
        <AppShell.Section className="brand">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Close navigation" />
          {project === null ? (
            <Skeleton h={32} />
          ) : (
            <ProjectSwitcher current={project} projects={data?.projects?.nodes ?? []} onChosen={close} />
          )}
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} px="xs">
          <Navigation onChosen={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main>
        <Answer of={answer}>
          {() =>
            project === null ? (
              <EmptyState
                title="There is no such project"
                hint="It may have been deleted, or you are not a member of it. Choose another one in the navigation."
              />
            ) : (
              <ProjectProvider value={project}>
                <Outlet />
              </ProjectProvider>
            )
          }
        </Answer>
      </AppShell.Main>
      <Palette />
    </AppShell>
  )
}
