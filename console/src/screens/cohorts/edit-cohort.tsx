import { Button, Stack } from "@mantine/core"
import { useNavigate, useParams } from "@tanstack/react-router"
import { type SubmitEvent, useState } from "react"
import { useQuery } from "urql"
import type { CohortQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Deleted } from "../../ui/deleted"
import { Page } from "../../ui/page"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { useDraft } from "../../ui/use-draft"
import { useSoftDelete } from "../../ui/use-soft-delete"
import { CohortSize } from "./builder/cohort-size"
import { GroupEditor, ROOT } from "./builder/group-editor"
import { readTree, TREE_FORM, writeTree } from "./builder/tree"
import { COHORT, UPDATE_COHORT } from "./cohorts.queries"
import { DescriptionFields } from "./description-fields"
import { MemberImport } from "./member-import"
import { MissingCohort } from "./missing-cohort"

const FROM = "/project/$project/cohorts/$cohort/edit"

/** Changes a cohort: what it is called, its conditions or its list, and whether it is there at all. */
export function EditCohort() {
  const { id: projectId } = useProject()
  const { cohort: number } = useParams({ from: FROM })
  const answer = useQuery({ query: COHORT, variables: { projectId, number: Number(number), first: 1 } })
  const { deletedId, onDeleted, onRestored } = useSoftDelete(answer)
  const { change, problem } = useChange(UPDATE_COHORT, ({ updateCohort }) => updateCohort)
  if (deletedId !== null) {
    const restore = async (): Promise<void> => {
      if ((await change({ input: { projectId, id: deletedId, deleted: false } })) !== null) onRestored()
    }
    return <Deleted what="cohort" onRestore={() => void restore()} problem={problem} />
  }
  return (
    <Answer of={answer}>
      {({ cohort }) =>
        cohort === null ? (
          <MissingCohort />
        ) : (
          <Found key={cohort.id} cohort={cohort} onDeleted={() => onDeleted(number)} />
        )
      }
    </Answer>
  )
}

interface FoundProps {
  readonly cohort: NonNullable<CohortQuery["cohort"]>
  readonly onDeleted: () => void
}

function Found({ cohort: { number, name, description, isStatic, filters }, onDeleted }: FoundProps) {
  const { id: projectId } = useProject()
  const navigate = useNavigate({ from: FROM })
  const [described, setDescribed] = useState({ name, description })
  const [stored] = useState(() => readTree(filters?.raw))
  const [tree, setTree, forgetDraft] = useDraft(`cohort ${projectId} ${number}`, stored, TREE_FORM)
  const { change, isChanging, problem } = useChange(UPDATE_COHORT, ({ updateCohort }) => updateCohort)
  const id = String(number)
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const changed = tree === stored ? undefined : { raw: writeTree(tree) }
    if ((await change({ input: { projectId, id, ...described, filters: changed } })) === null) return
    forgetDraft()
    await navigate({ to: "/project/$project/cohorts/$cohort", params: { cohort: id } })
  }
  const remove = async (): Promise<void> => {
    if ((await change({ input: { projectId, id, deleted: true } })) !== null) onDeleted()
  }
  return (
    <Page
      title={name || `Cohort ${number}`}
      actions={
        <Button variant="default" color="red" onClick={() => void remove()}>
          Delete
        </Button>
      }
    >
      <form onSubmit={(event) => void save(event)}>
        <Stack gap="md" maw={960}>
          <DescriptionFields described={described} onChange={setDescribed} />
          {!isStatic && (
            <>
              <GroupEditor label={ROOT} group={tree} onChange={setTree} />
              <CohortSize tree={tree} />
            </>
          )}
          <Problem of={problem} />
          <Button type="submit" loading={isChanging} style={{ alignSelf: "flex-start" }}>
            Save
          </Button>
        </Stack>
      </form>
      {isStatic && <MemberImport cohort={number} />}
    </Page>
  )
}
