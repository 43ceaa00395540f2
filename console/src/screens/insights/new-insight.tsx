import { Button } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useProject } from "../../project/project"
import { Page } from "../../ui/page"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { useChange } from "../../ui/use-change"
import { Builder } from "./builder/builder"
import { CREATE_INSIGHT } from "./insights.queries"
import { toQueryInput } from "./question/to-input"

/** A question that is not saved yet; the address has all of it. */
export function NewInsight() {
  const { id: projectId } = useProject()
  const question = useSearch({ from: "/project/$project/insights/new" })
  const navigate = useNavigate({ from: "/project/$project/insights/new" })
  const [isSaving, setSaving] = useState(false)
  const { change: create, ...saving } = useChange(CREATE_INSIGHT, (data) => data.createInsight)
  const save = async (description: Description): Promise<void> => {
    const input = { projectId, ...description, query: toQueryInput(question) }
    const made = (await create({ input }))?.createInsight?.insight
    if (made) await navigate({ to: "/project/$project/insights/$insight", params: { insight: made.shortId } })
  }
  return (
    <Page title="New insight" actions={<Button onClick={() => setSaving(true)}>Save</Button>}>
      <Builder question={question} onChange={(changed) => void navigate({ search: changed, replace: true })} />
      {isSaving && (
        <SaveDialog
          title="Save the insight"
          described={{ name: "", description: "" }}
          saving={saving}
          onSave={(description) => void save(description)}
          onClose={() => setSaving(false)}
        />
      )}
    </Page>
  )
}
