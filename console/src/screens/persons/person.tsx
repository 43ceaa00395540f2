import { Button, Group, Tabs, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PropertyTable } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { DeletePerson } from "./delete-person"
import { PersonCohorts } from "./person-cohorts"
import { PersonEvents } from "./person-events"
import { PersonFlags } from "./person-flags"
import { PersonRecordings } from "./person-recordings"
import { PERSON } from "./persons.queries"
import { PERSON_TABS } from "./persons-search"

const FROM = "/project/$project/persons/$person"

/** One person: who they are, what they did, and what they get. */
export function PersonPage() {
  const { id: projectId } = useProject()
  const { person: uuid } = useParams({ from: FROM })
  const answer = useQuery({ query: PERSON, variables: { projectId, uuid }, requestPolicy: "cache-and-network" })
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Answer of={answer}>
      {({ person }) =>
        person === null ? (
          <Page title="Person">
            <EmptyState
              title="There is no such person"
              hint="They were deleted or merged into another. Look for them in the list by a distinct id."
            />
          </Page>
        ) : (
          <Page
            title={person.name}
            actions={
              <Button variant="default" color="red" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            }
          >
            <Group gap="md">
              <Text size="sm" c="dimmed">
                {person.isIdentified ? "Identified" : "Not identified"}, first seen <Time of={person.createdAt} />
              </Text>
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                {person.distinctIds.join(", ")}
              </Text>
            </Group>
            <PersonTabs uuid={uuid} properties={person.properties} />
            {isDeleting && <DeletePerson person={person} onClose={() => setDeleting(false)} />}
          </Page>
        )
      }
    </Answer>
  )
}

const TITLES: Readonly<Record<(typeof PERSON_TABS)[number], string>> = {
  properties: "Properties",
  events: "Events",
  recordings: "Recordings",
  cohorts: "Cohorts",
  flags: "Flags",
}

/** The parts of the page; only the one that is shown is asked for. */
function PersonTabs({ uuid, properties }: { readonly uuid: string; readonly properties: unknown }) {
  const { tab = "properties" } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const panels: Readonly<Record<(typeof PERSON_TABS)[number], ReactNode>> = {
    properties: <PropertyTable properties={properties} />,
    events: <PersonEvents uuid={uuid} />,
    recordings: <PersonRecordings uuid={uuid} />,
    cohorts: <PersonCohorts uuid={uuid} />,
    flags: <PersonFlags uuid={uuid} />,
  }
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(chosen) => void navigate({ search: { tab: PERSON_TABS.find((one) => one === chosen) } })}
    >
      <Tabs.List>
        {PERSON_TABS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {TITLES[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {PERSON_TABS.map((one) => (
        <Tabs.Panel key={one} value={one} pt="md">
          {panels[one]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
