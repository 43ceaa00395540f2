import "./hogql.css"
import { Button, Kbd, Text } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useRef, useState } from "react"
import { useClient } from "urql"
import type { EditorHandle, TextFault } from "../../editor/hogql-editor"
import { HogqlEditor } from "../../editor/lazy-hogql-editor"
import type { HogQlInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { checkText } from "./check-text"
import { Parameters } from "./parameters"
import { listPlaceholders, readValues } from "./placeholders"
import { ResultView } from "./result-view"
import { RunStatus } from "./run-status"
import { SchemaList } from "./schema-list"
import { useDraft } from "./use-draft"
import { useKnownNames } from "./use-known-names"
import { usePastTexts } from "./use-past-texts"
import { useRun } from "./use-run"

const PastTexts = lazy(async () => ({ default: (await import("./past-texts")).PastTexts }))
const SaveInsight = lazy(async () => ({ default: (await import("./save-insight")).SaveInsight }))

const FROM = "/project/$project/hogql"

/** Questions in HogQL: an editor that knows what can be asked, and the rows that come of it. */
export function Hogql() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const client = useClient()
  const names = useKnownNames()
  const { text, setText, toAddress } = useDraft(search.query)
  const { run, start, cancel } = useRun()
  const { texts, add } = usePastTexts()
  const editor = useRef<EditorHandle>(null)
  const [asked, setAsked] = useState<HogQlInput | null>(null)
  const [opened, setOpened] = useState<"history" | "saving" | null>(null)
  const [firstFault, setFirstFault] = useState<TextFault | null>(null)
  const isRunning = run.progress !== null
  const isEmpty = text.trim() === ""

  const runPart = (): void => {
    const part = editor.current?.readPart()
    if (part === undefined || part.text.trim() === "") return
    const values = readValues(part.text, search.values)
    add(part.text)
    start(part, values)
    setAsked({ query: part.text, values })
    void navigate({ search: (before) => ({ ...before, query: toAddress() }), replace: true })
  }

  const check = async (checked: string): Promise<readonly TextFault[]> => {
    const found = await checkText(client, projectId, checked, readValues(checked, search.values))
    setFirstFault(found[0] ?? null)
    return found
  }

  const actions = (
    <>
      <Button variant="default" onClick={() => setOpened("history")}>
        History
      </Button>
      <Button variant="default" disabled={isEmpty} onClick={() => setOpened("saving")}>
        Save as insight
      </Button>
      {isRunning ? (
        <Button color="red" onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Button
          disabled={isEmpty}
          rightSection={
            <Kbd size="xs" visibleFrom="sm" aria-hidden="true">
              Ctrl ⏎
            </Kbd>
          }
          onClick={runPart}
        >
          Run
        </Button>
      )}
    </>
  )
  return (
    <Page title="HogQL" actions={actions}>
      <div className="hogql">
        <div className="writing">
          <HogqlEditor
            handle={editor}
            text={text}
            onChange={setText}
            onRun={runPart}
            names={names}
            check={check}
            fault={run.fault}
          />
          <Parameters
            names={listPlaceholders(text)}
            values={search.values ?? {}}
            onChange={(values) => void navigate({ search: (before) => ({ ...before, values }), replace: true })}
          />
          <FirstFault of={isEmpty || run.fault !== null ? null : firstFault} text={text} />
          <RunStatus run={run} />
          {run.result !== null && (
            <div aria-busy={isRunning}>
              <ResultView result={run.result} asked={asked} />
            </div>
          )}
          {run.result === null && run.fault === null && !isRunning && (
            <EmptyState
              title="Nothing has run yet"
              hint="Write a SELECT and press Ctrl-Enter. With a part of the text selected, that part runs."
            />
          )}
        </div>
        <SchemaList tables={names.tables} onChosen={(name) => editor.current?.insert(name)} />
      </div>
      <Suspense>
        {opened === "history" && (
          <PastTexts
            texts={texts}
            onChosen={(past) => {
              setText(past)
              setOpened(null)
            }}
            onClose={() => setOpened(null)}
          />
        )}
        {opened === "saving" && (
          <SaveInsight
            hogql={{ query: text, values: readValues(text, search.values) }}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        Ctrl-Space completes names; Tab leads out of the editor.
      </Text>
    </Page>
  )
}

/** What is underlined, for those who do not point at it. */
function FirstFault({ of: fault, text }: { readonly of: TextFault | null; readonly text: string }) {
  if (fault === null) return null
  const line = text.slice(0, fault.start).split("\n").length
  return <Text size="xs" c="var(--mantine-color-error)">{`Line ${line}: ${fault.message}`}</Text>
}
