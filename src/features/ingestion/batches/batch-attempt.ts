import type { ProjectId } from "../../../kernel/ids.js"
import type { BatchPersons, GeoIp, ProjectChanges } from "../../persons/index.js"
import type { GeoIpPlugin } from "../../plugins/index.js"
import type { SnapshotSink } from "../../recordings/index.js"
import type { DefinitionCatalogue, Definitions } from "../definitions/definition-catalogue.js"
import type { BatchSink } from "../rows/batch-sink.types.js"
import type { SpareKnowledge } from "../spares/spare-catalogue.js"
import type { BatchTransaction } from "./batch.types.js"
import { addDefinitions } from "./event-processor.js"

/** What the processing of any batch needs, for as long as the process runs. */
export interface BatchDependencies {
  readonly sink: BatchSink
  /** Null when no GeoIP file is configured. */
  readonly geoIp: GeoIp | null
  /** Knows which projects have it switched off. */
  readonly geoIpPlugin: GeoIpPlugin
  readonly definitions: DefinitionCatalogue
  readonly spares: SpareKnowledge
  readonly snapshots: SnapshotSink
  /** Bytes of rows that are processed before they are stored; `MAX_ROW_BYTES` when absent. */
  readonly maxRowBytes?: number
}

/** One attempt at a batch, for all of its sub-batches. */
export interface BatchAttempt {
  readonly transaction: BatchTransaction
  /** Of the batch: the tokens of its inserts begin with it. */
  readonly token: string
  /** Of the batch, in the order in which batches are stored. */
  readonly number: number
  readonly dependencies: BatchDependencies
  readonly persons: BatchPersons
  /** What the transaction has saved so far. */
  readonly savedDefinitions: Definitions[]
  /** By project of the batch: the properties that have a spare column, as they were committed before the batch. */
  readonly spares: Map<ProjectId, readonly string[]>
}

/**
 * Saves the persons whose saving was deferred, and the names of their properties. After a failed chunk, what that chunk has done to
 * persons in memory is undone first.
 * @returns what was saved, for ClickHouse.
 */
export async function flushPersons(
  { transaction, dependencies, persons, savedDefinitions }: BatchAttempt,
  hasFailed = false,
): Promise<readonly ProjectChanges[]> {
  const changes = await (hasFailed ? persons.flushAfterFailure() : persons.flush())
  const collector = dependencies.definitions.collect()
  addDefinitions(changes, collector)
  const definitions = collector.definitions()
  await transaction.saveDefinitions(definitions)
  savedDefinitions.push(definitions)
  return changes
}
