import type { ProjectChanges, SlicePersons } from "../../persons/index.js"
import type { Definitions } from "../definitions/definition-catalogue.js"
import type { SliceWork } from "./process-slice.js"
import type { SliceTransaction } from "./slice.types.js"
import { addDefinitions } from "./work-out-events.js"

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
