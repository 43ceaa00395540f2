import { useState } from "react"
import * as z from "zod/mini"
import { readStored, writeStored } from "../../ui/stored"
import { useStoreName } from "./use-draft"

const PAST_TEXTS = z.array(z.object({ text: z.string(), at: z.string() }))
/** How many are kept, and how long each may be: a browser keeps 5 MB of a site. */
const MOST = 50
const LONGEST = 20_000

/** A text that was run, and when. */
export interface PastText {
  readonly text: string
  /** ISO 8601. */
  readonly at: string
}

interface PastTexts {
  /** The newest first, each text once. */
  readonly texts: readonly PastText[]
  readonly add: (text: string) => void
}

/** The texts that were run in this browser. */
export function usePastTexts(): PastTexts {
  const name = useStoreName("history")
  const [texts, setTexts] = useState<readonly PastText[]>(() => readStored(name, PAST_TEXTS) ?? [])
  const add = (text: string): void => {
    if (text.trim() === "" || text.length > LONGEST) return
    const before = readStored(name, PAST_TEXTS) ?? []
    const kept = [{ text, at: new Date().toISOString() }, ...before.filter((past) => past.text !== text)].slice(0, MOST)
    writeStored(name, kept)
    setTexts(kept)
  }
  return { texts, add }
}
