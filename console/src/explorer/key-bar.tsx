import { type FormEvent, useEffect, useState } from "react"
import { keepApiKey } from "./api-key"
import { runOverHttp } from "./fetcher"

interface Caller {
  readonly state: "none" | "good" | "bad"
  readonly text: string
}

const NO_KEY: Caller = { state: "none", text: "No key: only the schema can be read." }

/** Asks the server whom a key belongs to. */
async function findCaller(key: string): Promise<Caller> {
  if (key === "") return NO_KEY
  try {
    const { data, errors } = await runOverHttp({ query: "{ me { email } }" }, key)
    const email = (data as { me?: { email?: string } | null } | null | undefined)?.me?.email
    if (email !== undefined) return { state: "good", text: `Signed in as ${email}` }
    return { state: "bad", text: errors?.[0]?.message ?? "The key could not be checked." }
  } catch {
    return { state: "bad", text: "The server did not answer." }
  }
}

interface KeyBarProps {
  /** The key that requests carry, empty when none. */
  readonly apiKey: string
  readonly onKey: (key: string) => void
}

/** The bar above the editor: whose data is asked for. A new key goes with the next request. */
export function KeyBar({ apiKey, onKey }: KeyBarProps) {
  const [draft, setDraft] = useState(apiKey)
  const [isShown, setShown] = useState(false)
  const [caller, setCaller] = useState(NO_KEY)

  useEffect(() => {
    let isCurrent = true
    findCaller(apiKey).then(
      (found) => isCurrent && setCaller(found),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [apiKey])

  const keep = (): void => {
    keepApiKey(draft.trim())
    onKey(draft.trim())
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    keep()
  }

  return (
    <header className="key-bar">
      <h1>
        Waymark <small>explorer</small>
      </h1>
      <form onSubmit={submit} autoComplete="off">
        <label htmlFor="key">Personal API key</label>
        <input
          id="key"
          type={isShown ? "text" : "password"}
          placeholder="phx_…"
          spellCheck={false}
          autoComplete="off"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={keep}
        />
        <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </button>
        <output htmlFor="key" data-state={caller.state}>
          {caller.text}
        </output>
      </form>
      <a href="/api/schema/">REST</a>
    </header>
  )
}
