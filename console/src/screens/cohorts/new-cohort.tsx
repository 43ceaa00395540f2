import { Button, SegmentedControl, Stack, Text } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { type SubmitEvent, useState } from "react"
import { useProject } from "../../project/project"
import { Page } from "../../ui/page"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { useDraft } from "../../ui/use-draft"
import { CohortSize } from "./builder/cohort-size"
import { GroupEditor, ROOT } from "./builder/group-editor"
import { type Group, NEW_GROUP, NEW_PROPERTY, TREE_FORM, writeTree } from "./builder/tree"
import { CREATE_COHORT } from "./cohorts.queries"
import { DescriptionFields } from "./description-fields"

const KINDS = [
  { value: "described", label: "Described by conditions" },
  { value: "listed", label: "A list of persons" },
]

const EMPTY: Group = { ...NEW_GROUP, nodes: [NEW_PROPERTY] }

/** Makes a cohort: by conditions, or as a list, to which persons are added on the page that follows. */
export function NewCohort() {
  const project = useProject()
  const navigate = useNavigate({ from: "/project/$project/cohorts/new" })
  const [described, setDescribed] = useState({ name: "", description: "" })
  const [kind, setKind] = useState("described")
  const [tree, setTree, forgetDraft] = useDraft(`new cohort ${project.id}`, EMPTY, TREE_FORM)
  const { change, isChanging, problem } = useChange(CREATE_COHORT, ({ createCohort }) => createCohort)
  const isStatic = kind === "listed"
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const filters = isStatic ? undefined : { raw: writeTree(tree) }
    const made = await change({ input: { projectId: project.id, ...described, isStatic, filters } })
    const number = made?.createCohort?.cohort?.number
    if (number === undefined) return
    forgetDraft()
    const params = { cohort: String(number) }
    if (isStatic) await navigate({ to: "/project/$project/cohorts/$cohort/edit", params })
    else await navigate({ to: "/project/$project/cohorts/$cohort", params })
  }
  return (
    <Page title="New cohort">
      <form onSubmit={(event) => void make(event)}>
        <Stack gap="md" maw={960}>
          <DescriptionFields described={described} onChange={setDescribed} />
          <SegmentedControl
            aria-label="What it is"
            size="xs"
            style={{ alignSelf: "flex-start" }}
            data={KINDS}
            value={kind}
            onChange={setKind}
          />
          {isStatic ? (
            <Text size="sm">Persons are added once it is made, from a file or by their ids.</Text>
          ) : (
            <>
              <GroupEditor label={ROOT} group={tree} onChange={setTree} />
              <CohortSize tree={tree} />
            </>
          )}
          <Problem of={problem} />
          <Button type="submit" loading={isChanging} style={{ alignSelf: "flex-start" }}>
            Make the cohort
          </Button>
        </Stack>
      </form>
    </Page>
  )
}
