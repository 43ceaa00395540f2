import { useCallback, useEffect, useRef, useState } from "react"
import type { TextPart } from "../../editor/hogql-editor"
import { follow } from "../../graph/follow"
import { useGraph } from "../../graph/graph"
import { useProject } from "../../project/project"
import { describeFailure } from "../../ui/failure"
import { CANCEL_RUN, RUN_HOGQL } from "./hogql.queries"
import { begin, fail, NO_RUN, type Run, toNext } from "./run"

interface Runner {
  readonly run: Run
  /** Runs a part of the text in place of what runs. */
  readonly start: (part: TextPart, values: Readonly<Record<string, unknown>>) => void
  /** Stops what runs, and the engine's work for it. */
  readonly cancel: () => void
}

/** Names a run, so that it can be stopped from its first moment, and joined again after a lost connection. */
const makeId = (): string => `console-${Date.now()}-${Math.random().toString(36).slice(2)}`

/** Runs texts, one at a time, and follows them. Who leaves the page stops what runs. */
export function useRun(): Runner {
  const graph = useGraph()
  const { id: projectId } = useProject()
  const [run, setRun] = useState(NO_RUN)
  const last = useRef(NO_RUN)
  const going = useRef<{ readonly id: string; readonly stop: () => void }>(null)

  const end = useCallback((): void => {
    going.current?.stop()
    going.current = null
  }, [])
  const cancel = useCallback((): void => {
    if (going.current !== null) void graph.client.mutation(CANCEL_RUN, { projectId, id: going.current.id }).toPromise()
  }, [graph, projectId])
  useEffect(
    () => () => {
      cancel()
      end()
    },
    [cancel, end],
  )

  const keep = (next: Run): void => {
    last.current = next
    if (next.progress === null) going.current = null
    setRun(next)
  }
  const start = ({ text, from }: TextPart, values: Readonly<Record<string, unknown>>): void => {
    cancel()
    end()
    const id = makeId()
    keep(begin(last.current))
    const stop = follow(graph, RUN_HOGQL, () => ({ projectId, id, hogql: { query: text, values } }), {
      onData: ({ query }) => keep(toNext(last.current, query, from)),
      onFailure: (failure) => keep(fail(describeFailure(failure).title, from)),
    })
    going.current = { id, stop }
  }
  return { run, start, cancel }
}
