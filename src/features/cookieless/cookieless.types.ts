import type { ProjectId } from "../../kernel/ids.js"

/**
 * What a project makes of events without cookies. `stateful`: sessions are told apart, and who logs in becomes one person with
 * what they did before. `stateless`: nothing is kept of visitors, so that neither is possible. `off`: such events are dropped.
 */
export type CookielessMode = "stateful" | "stateless" | "off"

/** Why an event without cookies is not ingested (`docs/contract/capture.md#visitors-without-cookies`). */
export type CookielessDropReason =
  | "cookieless_mode_off"
  | "cookieless_unsupported_event"
  | "cookieless_stateless_identify"
  | "cookieless_missing_user_agent"
  | "cookieless_missing_ip"
  | "cookieless_missing_host"
  | "cookieless_timestamp_out_of_range"

/** The browser that an event comes from, and whether somebody logs in there. */
export interface CookielessVisit {
  readonly ipAddress: string
  /** What a site and its subdomains share. */
  readonly rootDomain: string
  readonly userAgent: string
  /** What the site adds to tell visitors apart; at most 100 characters. */
  readonly extra: string
  /** `YYYY-MM-DD` where the visitor is. */
  readonly day: string
  readonly timestampMs: number
  readonly isStateless: boolean
  /** Whether the visitor says here who they are: whoever comes without a name afterwards may be somebody else. */
  readonly isLogin: boolean
}

export interface ProjectVisit extends CookielessVisit {
  readonly projectId: ProjectId
}

/** A browser on one day in one project. */
export interface VisitorKey {
  readonly projectId: ProjectId
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** The distinct id that it has before anybody logs in. */
  readonly deviceId: string
}

/** What is kept of a browser for as long as its day's salt. */
export interface Visitor extends VisitorKey {
  /** How often somebody has logged in. */
  readonly logins: number
  /** UUIDv7 that begins with the time of the session's first event. */
  readonly sessionId: string
  /** Of the session's latest event. */
  readonly lastSeenMs: number
}

/** Who an event without cookies is about. */
export interface VisitorIdentity {
  /** Of a visitor who is not logged in. */
  readonly distinctId: string
  readonly deviceId: string
  readonly sessionId: string
}

/** Salts and visitors, inside the transaction of a batch. */
export interface VisitorStore {
  /**
   * The 16 bytes that ids of each day are made with. A new salt is committed on its own before this resolves: the same events give
   * the same ids whatever becomes of the transaction.
   */
  findSalts(days: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Those of the visitors who came before. */
  load(keys: readonly VisitorKey[]): Promise<readonly Visitor[]>
  save(visitors: readonly Visitor[]): Promise<void>
}
