import { Button, Code, Fieldset, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { IMPORT_MEMBERS } from "./cohorts.queries"
import { readIds } from "./read-ids"

/** As many as the server takes at once. */
const AT_ONCE = 10_000
const SHOWN_UNKNOWN = 100

interface Imported {
  readonly memberCount: number
  readonly unknownIds: readonly string[]
}

/** Adds persons to a cohort whose members are listed, from a file or from what is pasted, and says who was not found. */
export function MemberImport({ cohort }: { readonly cohort: number }) {
  const project = useProject()
  const [text, setText] = useState("")
  const [imported, setImported] = useState<Imported | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { change, isChanging, problem } = useChange(IMPORT_MEMBERS, (data) => data.importCohortMembers)

  const send = async (ids: readonly string[]): Promise<void> => {
    const unknownIds: string[] = []
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const input = { projectId: project.id, id: String(cohort), ids: ids.slice(from, from + AT_ONCE) }
      const found = (await change({ input }))?.importCohortMembers?.imported
      if (!found) return
      unknownIds.push(...found.unknownIds)
      setImported({ memberCount: found.memberCount, unknownIds })
    }
  }
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const ids = await readIds(text).catch(() => null)
    setImported(null)
    setFault(ids === null ? "The file has a quoted cell that does not end." : null)
    if (ids !== null) await send(ids)
  }
  const take = async (file: File | undefined): Promise<void> => setText((await file?.text()) ?? "")

  return (
    <form onSubmit={(event) => void add(event)}>
      <Fieldset legend="Add persons">
        <Stack gap="sm" maw={560}>
          <TextInput
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            label="CSV file"
            description="The column distinct_id or person_id, else the first one."
            onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
          />
          <Textarea
            label="Ids, one a line"
            autosize
            minRows={3}
            maxRows={10}
            value={text}
            onChange={({ currentTarget: { value } }) => setText(value)}
          />
          <Problem of={fault ?? problem} />
          {imported !== null && <Outcome of={imported} />}
          <Button type="submit" disabled={text.trim() === ""} loading={isChanging} style={{ alignSelf: "flex-start" }}>
            Add
          </Button>
        </Stack>
      </Fieldset>
    </form>
  )
}

function Outcome({ of: { memberCount, unknownIds } }: { readonly of: Imported }) {
  const shown = unknownIds.slice(0, SHOWN_UNKNOWN)
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{`The cohort has ${memberCount.toLocaleString()} members now.`}</Text>
      {shown.length > 0 && (
        <>
          <Text size="sm">{`${unknownIds.length.toLocaleString()} ids name nobody:`}</Text>
          <Code block tabIndex={0} mah={160}>
            {shown.join("\n")}
            {unknownIds.length > shown.length ? "\n…" : ""}
          </Code>
        </>
      )}
    </Stack>
  )
}
