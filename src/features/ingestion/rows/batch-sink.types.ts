import type { RecordingInsert } from "../../recordings/index.js"
import type { EventRowBlock } from "./event-rows.js"
import type { PersonRows } from "./person-rows.js"

/** A row that the engine cannot take, with its sentence. */
export interface RefusedRow {
  readonly position: number
  readonly reason: string
}

/** Where processed batches become visible to queries. */
export interface BatchSink {
  /**
   * Stores the rows exactly once, however often it is called with the same token. Persons and overrides come before events,
   * so that no query sees an event whose person is not there yet.
   * @returns events that the engine refuses, each found out by itself; everything else is stored.
   * @throws AppError store_unavailable when the engine cannot take anything now; call again with the same token.
   */
  write(token: string, persons: PersonRows, events: readonly EventRowBlock[]): Promise<RefusedRow[]>
  /** Stores rows of recordings exactly once, in the order given; returns and throws as `write`. */
  writeSnapshots(token: string, inserts: readonly RecordingInsert[]): Promise<RefusedRow[]>
}
