import { Button } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useMutation } from "urql"
import { useProject } from "../../project/project"
import { Page } from "../../ui/page"
import { findRefusal } from "../../ui/refusal"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { Builder } from "./builder/builder"
import { CREATE_INSIGHT } from "./insights.queries"
import { toQueryInput } from "./question/to-input"

/** A question that is not saved yet; the address has all of it. */
export function NewInsight() {
  const { id: projectId } = useProject()
  const question = useSearch({ from: "/project/$project/insights/new" })
  const navigate = useNavigate({ from: "/project/$project/insights/new" })
  const [isSaving, setSaving] = useState(false)
  const [, create] = useMutation(CREATE_INSIGHT)
  const save = async (description: Description): Promise<string | null> => {
    const { data, error } = await create({ input: { projectId, ...description, query: toQueryInput(question) } })
    const made = data?.createInsight?.insight
    if (made)
      await navigate({
        to: "/project/$project/insights/$insight",
        params: (old) => ({ ...old, insight: made.shortId }),
      })
    return findRefusal(error, data?.createInsight)
  }
  return (
    <Page title="New insight" actions={<Button onClick={() => setSaving(true)}>Save</Button>}>
      <Builder question={question} onChange={(changed) => void navigate({ search: changed, replace: true })} />
      {isSaving && (
        <SaveDialog
          title="Save the insight"
          described={{ name: "", description: "" }}
          onSave={save}
          onClose={() => setSaving(false)}
        />
      )}
    </Page>
  )
}
