import { ActionIcon, Alert, Button, Menu, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useMutation, useQuery } from "urql"
import type { InsightQuery, UpdateInsightInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Deleted } from "../../ui/deleted"
import { EmptyState } from "../../ui/empty-state"
import { Icon } from "../../ui/icon"
import { Page } from "../../ui/page"
import { findRefusal } from "../../ui/refusal"
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
  const [deletedId, setDeletedId] = useState<string | null>(null)
  const [, update] = useMutation(UPDATE_INSIGHT)
  if (deletedId !== null) {
    const restore = async (): Promise<void> => {
      const { error } = await update({ input: { id: deletedId, deleted: false } })
      if (error === undefined) setDeletedId(null)
    }
    return <Deleted what="insight" onRestore={() => void restore()} />
  }
  return (
    <Answer of={answer}>
      {({ insight }) =>
        insight === null ? (
          <EmptyState title="There is no such insight" hint="It may be of another project. Look for it in the list." />
        ) : (
          <Found key={insight.id} insight={insight} onDeleted={() => setDeletedId(insight.id)} />
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
  const [refusal, setRefusal] = useState<string | null>(null)
  const [{ fetching }, update] = useMutation(UPDATE_INSIGHT)
  const { id, name, description, isFavourite } = insight
  const question = edited ?? readStoredQuestion(insight.query)

  const change = async (input: Omit<UpdateInsightInput, "id">): Promise<string | null> => {
    const { data, error } = await update({ input: { id, ...input } })
    const found = findRefusal(error, data?.updateInsight)
    setRefusal(found)
    return found
  }
  const remove = async (): Promise<void> => {
    if ((await change({ deleted: true })) === null) onDeleted()
  }
  const save = async (): Promise<void> => {
    if (edited === undefined || (await change({ query: toQueryInput(edited) })) !== null) return
    await navigate({ search: {}, replace: true })
  }

  const actions = (
    <>
      <ActionIcon
        variant="subtle"
        color={isFavourite ? "yellow" : "gray"}
        aria-label="Favourite"
        aria-pressed={isFavourite}
        onClick={() => void change({ isFavourite: !isFavourite })}
      >
        <Icon name="star" />
      </ActionIcon>
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
      <Button disabled={edited === undefined} loading={fetching} onClick={() => void save()}>
        Save
      </Button>
    </>
  )
  return (
    <Page title={name || "Untitled"} actions={actions}>
      {refusal !== null && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
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
            onSave={change}
            onClose={() => setDescribing(false)}
          />
        </Suspense>
      )}
    </Page>
  )
}
