import { useSyncExternalStore } from "react"
import { FROM_CONSOLE } from "../graph/graph"

/** Who is signed in. */
export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
}

/** What the server says of this browser. */
export interface Session {
  /** Null when nobody is signed in here. */
  readonly user: User | null
  /** Whether nobody has a password yet, so that only the link of the server's start opens anything. */
  readonly setupRequired: boolean
}

/** Why the server refuses what somebody typed. */
export interface Refusal {
  readonly detail: string
  /** The field at fault; null for all of them together. */
  readonly attr: string | null
}

const PATH = "/auth/session"
const NO_ANSWER: Refusal = { detail: "The server does not answer. Check that it runs, then try again.", attr: null }

let session: Session | null = null
let asking: Promise<Session> | null = null
const listeners = new Set<() => void>()

function keep(found: Session): Session {
  session = found
  for (const listener of listeners) listener()
  return found
}

async function ask(): Promise<Session> {
  const response = await fetch(PATH)
  const { user = null, setupRequired = false }: Partial<Session> = await response.json()
  return keep({ user, setupRequired })
}

/** Who is signed in, asked of the server once. Rejects when it does not answer. */
export async function findSession(): Promise<Session> {
  if (session !== null) return session
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}

const send = (path: string, body: object): Promise<Response> =>
  fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...FROM_CONSOLE },
    body: JSON.stringify(body),
  })

/** Sends what somebody typed to a path that begins a session; why it was refused, or null when they are signed in. */
export async function beginSession(path: string, typed: object): Promise<Refusal | null> {
  const response = await send(path, typed).catch(() => null)
  if (response === null) return NO_ANSWER
  const body = await response.json()
  if (!response.ok) return { detail: String(body.detail), attr: body.attr ?? null }
  keep(body)
  return null
}

/** Ends the session here and at the server. */
export async function signOut(): Promise<void> {
  await send("/auth/sign-out", {}).catch(() => undefined)
  forgetSession()
}

/** Forgets who was signed in: the server does not know them any more. */
export const forgetSession = (): void => void keep({ user: null, setupRequired: false })

/** What the provider of OpenID Connect is called; null without one. */
export async function findProvider(): Promise<string | null> {
  const response = await fetch("/auth/options")
  const { oidc }: { readonly oidc: { readonly name: string } | null } = await response.json()
  return oidc?.name ?? null
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who is signed in, as it changes; null for nobody, and before the server was asked. */
export const useUser = (): User | null => useSyncExternalStore(listen, () => session?.user ?? null)
