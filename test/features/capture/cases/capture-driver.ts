import type { AcceptedEvent } from "../../../../src/features/capture/index.js"

/** A request as it goes over the wire, whatever carries it. */
export interface WireRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface WireAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface StoredEvent extends AcceptedEvent {
  readonly projectId: number
  readonly clientIp: string
  readonly historicalMigration: boolean
}

/** Something that capture cases can be run against: the service in memory, or a server over HTTP. */
export interface CaptureDriver {
  send(request: WireRequest): Promise<WireAnswer>
  /** Everything that was stored since the driver was made, in order. */
  stored(): Promise<readonly StoredEvent[]>
}
