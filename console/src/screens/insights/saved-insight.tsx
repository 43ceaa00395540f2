import { Button, Menu, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useQuery } from "urql"
import type { InsightQuery, UpdateInsightInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Deleted } from "../../ui/deleted"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { Problem } from "../../ui/problem"
import type { Description } from "../../ui/save-dialog"
import { StarButton } from "../../ui/star-button"
import { useChange } from "../../ui/use-change"
import { useSoftDelete } from "../../ui/use-soft-delete"
import { Builder } from "./builder/builder"
import { StoredPicture } from "./builder/stored-picture"
import { INSIGHT, UPDATE_INSIGHT } from "./insights.queries"
import { readStoredQuestion } from "./question/read-stored"
import { toQueryInput } from "./question/to-input"

const SaveDialog = lazy(async () => ({ default: (await import("../../ui/save-dialog")).SaveDialog }))
const AddToDashboard = lazy(async () => ({ default: (await import("./add-to-dashboard")).AddToDashboard }))

const FROM = "/project/$project/insights/$insight"

/** An insight that is kept, by the name in the address. */
export function SavedInsight() {
  const { id: projectId } = useProject()
  const { insight: shortId } = useParams({ from: FROM })
  const answer = useQuery({ query: INSIGHT, variables: { projectId, shortId } })
  const { deletedId, onDeleted, onRestored } = useSoftDelete(answer)
  const { change: update, problem } = useChange(UPDATE_INSIGHT, (data) => data.updateInsight)
  if (deletedId !== null) {
    const restore = async (): Promise<void> => {
      if ((await update({ input: { id: deletedId, deleted: false } })) !== null) onRestored()
    }
    return <Deleted what="insight" onRestore={() => void restore()} problem={problem} />
  }
  return (
    <Answer of={answer}>
      {({ insight }) =>
        insight === null ? (
          <EmptyState title="There is no such insight" hint="It may be of another project. Look for it in the list." />
        ) : (
          <Found key={insight.id} insight={insight} onDeleted={() => onDeleted(insight.id)} />
        )
      }
    </Answer>
  )
}

interface FoundProps {
  readonly insight: NonNullable<InsightQuery["insight"]>
  readonly onDeleted: () => void
}

/** What is changed of the question is in the address until it is saved. */
function Found({ insight, onDeleted }: FoundProps) {
  const { edited } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [isAdding, setAdding] = useState(false)
  const [isDescribing, setDescribing] = useState(false)
  const { change: update, ...updating } = useChange(UPDATE_INSIGHT, (data) => data.updateInsight)
  const { id, name, description, isFavourite } = insight
  const question = edited ?? readStoredQuestion(insight.query)

  /** Whether the change was made. */
  const change = async (input: Omit<UpdateInsightInput, "id">): Promise<boolean> =>
    (await update({ input: { id, ...input } })) !== null
  const describe = async (described: Description): Promise<void> => {
    if (await change(described)) setDescribing(false)
  }
  const remove = async (): Promise<void> => {
    if (await change({ deleted: true })) onDeleted()
  }
  const save = async (): Promise<void> => {
    if (edited !== undefined && (await change({ query: toQueryInput(edited) })))
      await navigate({ search: {}, replace: true })
  }

  const actions = (
    <>
      <StarButton label="Favourite" isOn={isFavourite} onChange={(isOn) => void change({ isFavourite: isOn })} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAdding(true)}>Add to a dashboard</Menu.Item>
          <Menu.Item onClick={() => setDescribing(true)}>Rename</Menu.Item>
          <Menu.Item color="red" onClick={() => void remove()}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button disabled={edited === undefined} loading={updating.isChanging} onClick={() => void save()}>
        Save
      </Button>
    </>
  )
  return (
    <Page title={name || "Untitled"} actions={actions}>
      <Problem of={updating.problem} />
      {description !== "" && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      {question === null ? (
        <StoredPicture query={insight.query} />
      ) : (
        <Builder
          question={question}
          onChange={(changed) => void navigate({ search: { edited: changed }, replace: true })}
        />
      )}
      {isAdding && (
        <Suspense>
          <AddToDashboard shortId={insight.shortId} onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {isDescribing && (
        <Suspense>
          <SaveDialog
            title="Rename the insight"
            described={{ name, description }}
            saving={updating}
            onSave={(described) => void describe(described)}
            onClose={() => setDescribing(false)}
          />
        </Suspense>
      )}
    </Page>
  )
}
