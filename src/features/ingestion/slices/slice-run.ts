import type { GeoIp, ProjectChanges, SlicePersons } from "../../persons/index.js"
import type { GeoIpPlugin } from "../../plugins/index.js"
import type { DefinitionCatalogue, Definitions } from "../definitions/definition-catalogue.js"
import type { SliceSink } from "../rows/slice-sink.types.js"
import type { SnapshotSink } from "../rows/snapshot-sink.types.js"
import type { SliceTransaction } from "./slice.types.js"
import { addDefinitions } from "./work-out-events.js"

/** What work on any slice needs, for as long as the process runs. */
export interface SliceWork {
  readonly sink: SliceSink
  /** Null when no GeoIP file is configured. */
  readonly geoIp: GeoIp | null
  /** Tells which projects have it switched off. */
  readonly geoIpPlugin: GeoIpPlugin
  readonly definitions: DefinitionCatalogue
  readonly snapshots: SnapshotSink
  /** Bytes of rows that are worked out before they are stored; `MAX_ROW_BYTES` when absent. */
  readonly maxRowBytes?: number
}

/** One try at a slice, for all of its parts. */
export interface SliceRun {
  readonly transaction: SliceTransaction
  /** Of the slice: names of inserts begin with it. */
  readonly token: string
  readonly work: SliceWork
  readonly persons: SlicePersons
  /** Names that the transaction has saved so far. */
  readonly names: Definitions[]
}

/** Saves the names of the properties of persons that have waited and are saved now. Answers them, for ClickHouse to hear of. */
export async function settled(
  { transaction, work, names }: SliceRun,
  changes: readonly ProjectChanges[],
): Promise<readonly ProjectChanges[]> {
  const collector = work.definitions.collect()
  addDefinitions(changes, collector)
  const definitions = collector.definitions()
  await transaction.saveDefinitions(definitions)
  names.push(definitions)
  return changes
}
