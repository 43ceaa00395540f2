import { useSyncExternalStore } from "react"
import type { Credentials } from "../graph/graph"

const STORED_AS = "waymark.key"
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

/** The personal API key of this tab, empty when nobody is signed in. It is kept until the tab is closed. */
export const readKey = (): string => sessionStorage.getItem(STORED_AS) ?? ""

/** Signs in with a personal API key. */
export function signIn(key: string): void {
  sessionStorage.setItem(STORED_AS, key)
  tell()
}

/** Forgets who was signed in. */
export function signOut(): void {
  sessionStorage.removeItem(STORED_AS)
  tell()
}

/** How requests say whose they are. */
export function toCredentials(key: string): Credentials {
  const headers: Record<string, string> = key === "" ? {} : { Authorization: `Bearer ${key}` }
  return { headers, connectionParams: headers }
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The key of this tab as it changes. */
export const useKey = (): string => useSyncExternalStore(listen, readKey)
