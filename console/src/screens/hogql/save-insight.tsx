import { useNavigate } from "@tanstack/react-router"
import type { HogQlInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { useChange } from "../../ui/use-change"
import { CREATE_INSIGHT } from "../insights/insights.queries"

interface SaveInsightProps {
  readonly hogql: HogQlInput
  readonly onClose: () => void
}

/** Keeps a text under a name as an insight, and leads there. */
export function SaveInsight({ hogql, onClose }: SaveInsightProps) {
  const { id: projectId } = useProject()
  const navigate = useNavigate({ from: "/project/$project/hogql" })
  const { change: create, ...saving } = useChange(CREATE_INSIGHT, (data) => data.createInsight)
  const save = async (description: Description): Promise<void> => {
    const input = { projectId, ...description, query: { hogql } }
    const made = (await create({ input }))?.createInsight?.insight
    if (made) await navigate({ to: "/project/$project/insights/$insight", params: { insight: made.shortId } })
  }
  return (
    <SaveDialog
      title="Save as insight"
      described={{ name: "", description: "" }}
      saving={saving}
      onSave={(description) => void save(description)}
      onClose={onClose}
    />
  )
}
