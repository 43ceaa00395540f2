import type { IngestionFeatureDependencies } from "../features/ingestion/index.js"
import type { createRecordingsFeature } from "../features/recordings/index.js"

type BatchSink = Parameters<NonNullable<IngestionFeatureDependencies["withLiveEvents"]>>[0]
type TellStored = ReturnType<typeof createRecordingsFeature>["tellStored"]

/** Makes ingestion's sink tell of recordings once rows of them are stored. */
export const withStoredRecordings = (sink: BatchSink, tellStored: TellStored): BatchSink => ({
  write: (token, persons, events) => sink.write(token, persons, events),
  async writeSnapshots(token, inserts) {
    const refused = await sink.writeSnapshots(token, inserts)
    tellStored(inserts)
    return refused
  },
})
