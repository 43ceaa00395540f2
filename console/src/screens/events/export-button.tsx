import { Button } from "@mantine/core"
import { useState } from "react"
import { useClient } from "urql"
import { useProject } from "../../project/project"
import { EVENTS } from "./events.queries"
import type { EventsSearch } from "./events-search"
import { EXPRESSIONS, toEventsInput } from "./stored-events"

const MAX_ROWS = 10_000

/** A cell of CSV (RFC 4180). What a spreadsheet would take for a formula begins with a quote instead. */
const writeCell = (cell: unknown): string =>
  `"${String(cell)
    .replace(/^[=+\-@\t\r]/, "'$&")
    .replaceAll('"', '""')}"`

const writeCsv = (rows: readonly (readonly unknown[] | null)[]): string =>
  [EXPRESSIONS, ...rows].map((row) => `${(row ?? []).map(writeCell).join(",")}\r\n`).join("")

/** Hands a file to the browser, which keeps it. */
function keepFile(text: string, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Makes a file of CSV of the newest 10,000 events that the filters let through. */
export function ExportButton({ search }: { readonly search: EventsSearch }) {
  const { id: projectId } = useProject()
  const client = useClient()
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle")
  const exportEvents = async (): Promise<void> => {
    setState("busy")
    const events = toEventsInput(search, MAX_ROWS)
    const { data } = await client.query(EVENTS, { projectId, events }, { requestPolicy: "network-only" }).toPromise()
    const rows = data?.query?.__typename === "EventsResult" ? data.query.rows : null
    if (rows !== null) keepFile(writeCsv(rows), "events.csv")
    setState(rows === null ? "failed" : "idle")
  }
  return (
    <Button variant="default" loading={state === "busy"} onClick={() => void exportEvents()}>
      {state === "failed" ? "Export failed. Try again" : "Export"}
    </Button>
  )
}
