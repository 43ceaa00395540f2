import { useEffect, useRef, useState } from "react"
import * as z from "zod/mini"
import { useProject } from "../../project/project"
import { useUser } from "../../session/session"
import { readStored, writeStored } from "../../ui/stored"

/** What is written, and the text of the address on which it was begun. */
const DRAFT = z.object({ text: z.string(), over: z.nullable(z.string()) })

/** Longer texts are not put into the address: not every server and chat takes them. */
const LONGEST_IN_ADDRESS = 2000

/** The name under which this browser keeps something of the page, for one person and one project. */
export function useStoreName(what: string): string {
  const { id } = useProject()
  return `waymark.hogql.${useUser()?.id ?? ""}.${id}.${what}`
}

interface Draft {
  readonly text: string
  readonly setText: (text: string) => void
  /** What the address is to have of the text that is run; absent when it is too long. */
  readonly toAddress: () => string | undefined
}

/**
 * The text that is being written, which survives a reload. A text in the address wins, unless the draft was begun on
 * it.
 */
export function useDraft(given: string | undefined): Draft {
  const name = useStoreName("draft")
  const [text, setText] = useState(() => {
    const draft = readStored(name, DRAFT)
    return draft !== null && (given === undefined || draft.over === given) ? draft.text : (given ?? "")
  })
  const over = useRef(given)
  // Another address, as of a link, brings its own text; that of the last run is what was written.
  useEffect(() => {
    if (given === undefined || given === over.current) return
    over.current = given
    setText(given)
  }, [given])
  useEffect(() => writeStored(name, { text, over: over.current ?? null }), [name, text])

  const toAddress = (): string | undefined => {
    over.current = text.length <= LONGEST_IN_ADDRESS ? text : undefined
    writeStored(name, { text, over: over.current ?? null })
    return over.current
  }
  return { text, setText, toAddress }
}
