import type { LoggedEvent } from "../ingestion.types.js"

/** An event that capture made of snapshots of a recorded session. */
export interface SnapshotMessage
  extends Pick<LoggedEvent, "projectId" | "uuid" | "distinctId" | "receivedAtMs" | "properties"> {
  /** Number of its event in the batch: the same at every replay. */
  readonly position: number
}

/** Rows of one table that go into one insert. A row has the position of the first message it was made of. */
export interface SnapshotInsert {
  readonly table: string
  readonly rows: readonly { readonly position: number; readonly json: string }[]
}

/** What some messages are stored as, and which of them are not. */
export interface PreparedSnapshots {
  /** In the order in which they have to be made; the same at every replay. */
  readonly inserts: readonly SnapshotInsert[]
  /** Messages that are not recorded, and why. */
  readonly dropped: readonly { readonly position: number; readonly reason: string }[]
  /** Positions of all messages of a row, by the position that the row has. */
  readonly positionsByRow: ReadonlyMap<number, readonly number[]>
}

/** Turns snapshot messages into rows. Repetitions of a uuid were left out before. */
export interface SnapshotSink {
  /** @throws AppError store_unavailable when it cannot do so now; any other failure lies in the messages. */
  prepare(messages: readonly SnapshotMessage[]): Promise<PreparedSnapshots>
}

/** What there is to store of no messages. */
export const NO_SNAPSHOTS: PreparedSnapshots = { inserts: [], dropped: [], positionsByRow: new Map() }
