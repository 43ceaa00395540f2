import type { LoggedEvent } from "../ingestion.types.js"

/** An event that capture made of snapshots of a recorded session. */
export interface SnapshotMessage
  extends Pick<LoggedEvent, "projectId" | "uuid" | "distinctId" | "receivedAtMs" | "properties"> {
  /** Place of its event in the slice: the same at every replay. */
  readonly position: number
}

/** Rows of one table that go into one insert. A row names the place of the first message it was made of. */
export interface SnapshotInsert {
  readonly table: string
  readonly rows: readonly { readonly position: number; readonly json: string }[]
}

/** What there is to store and to tell of some messages. */
export interface PreparedSnapshots {
  /** In the order in which they have to be made; the same at every replay. */
  readonly inserts: readonly SnapshotInsert[]
  /** Messages that are not recorded, and why. */
  readonly dropped: readonly { readonly position: number; readonly reason: string }[]
  /** Places of all messages of a row, by the place that the row names. */
  readonly positionsOfRow: ReadonlyMap<number, readonly number[]>
}

/** Works out what recordings keep of snapshot messages. Repetitions of a uuid were left out before. */
export interface SnapshotSink {
  /** @throws AppError store_unavailable when it cannot be worked out now; any other failure lies in the messages. */
  prepare(messages: readonly SnapshotMessage[]): Promise<PreparedSnapshots>
}

/** What there is to store of no messages. */
export const NO_SNAPSHOTS: PreparedSnapshots = { inserts: [], dropped: [], positionsOfRow: new Map() }
