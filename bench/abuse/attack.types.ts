import type { Attacker } from "./attacker.js"

/** A project and its keys. */
export interface Tenant {
  readonly projectId: number
  readonly projectKey: string
  /** May do everything, in this project alone. */
  readonly personalKey: string
}

/** What is attacked, and with which keys. */
export interface Target {
  readonly url: string
  readonly tenant: Tenant
}

/** One way to take from a server what others need. */
export interface Attack {
  /** Words with hyphens, unique. */
  readonly name: string
  /** The strongest credential that it uses: none, the key that every visitor of a page can read, or a personal key. */
  readonly needs: "nothing" | "project key" | "personal key"
  /** What it does, in one sentence. */
  readonly what: string
  /** Makes bodies, and what has to be stored in the attacker's own project beforehand; not measured. */
  readonly prepare?: (attacker: Attacker) => Promise<void>
  /** Attacks until it is done or the signal aborts. What comes back is counted by the attacker. */
  readonly run: (attacker: Attacker, signal: AbortSignal) => Promise<void>
}
