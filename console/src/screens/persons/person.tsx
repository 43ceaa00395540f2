import { Button, Group, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PartTabs } from "../../ui/part-tabs"
import { PropertyTable } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { DeletePerson } from "./delete-person"
import { PersonCohorts } from "./person-cohorts"
import { PersonEvents } from "./person-events"
import { PersonFlags } from "./person-flags"
import { PersonGroups } from "./person-groups"
import { PersonRecordings } from "./person-recordings"
import { PERSON_TABS } from "./person-search"
import { PERSON } from "./persons.queries"
import { SplitPerson } from "./split-person"

const FROM = "/project/$project/persons/$person"

/** One person: who they are, what they did, and what they get. */
export function PersonPage() {
  const { id: projectId } = useProject()
  const { person: uuid } = useParams({ from: FROM })
  const answer = useQuery({ query: PERSON, variables: { projectId, uuid }, requestPolicy: "cache-and-network" })
  const { tab } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [dialog, setDialog] = useState<"delete" | "split" | null>(null)
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
              <>
                {person.distinctIds.length > 1 && (
                  <Button variant="default" onClick={() => setDialog("split")}>
                    Split
                  </Button>
                )}
                <Button variant="default" onClick={() => setDialog("delete")}>
                  Delete
                </Button>
              </>
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
            <PartTabs
              names={PERSON_TABS}
              parts={{
                properties: { title: "Properties", content: <PropertyTable properties={person.properties} /> },
                events: { title: "Events", content: <PersonEvents uuid={uuid} /> },
                recordings: { title: "Recordings", content: <PersonRecordings uuid={uuid} /> },
                groups: { title: "Groups", content: <PersonGroups uuid={uuid} /> },
                cohorts: { title: "Cohorts", content: <PersonCohorts uuid={uuid} /> },
                flags: { title: "Flags", content: <PersonFlags uuid={uuid} /> },
              }}
              shown={tab}
              onShow={(shown) => void navigate({ search: { tab: shown } })}
            />
            {dialog === "delete" && <DeletePerson person={person} onClose={() => setDialog(null)} />}
            {dialog === "split" && <SplitPerson person={person} onClose={() => setDialog(null)} />}
          </Page>
        )
      }
    </Answer>
  )
}
