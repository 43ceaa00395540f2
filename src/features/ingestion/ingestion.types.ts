import type { ProjectId } from "../../kernel/ids.js"
import type { AcceptedEvent } from "../capture/index.js"

/** One accepted event with what the request said about all of its events. */
export interface LoggedEvent extends AcceptedEvent {
  readonly projectId: ProjectId
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly clientIp: string
  readonly historicalMigration: boolean
}
