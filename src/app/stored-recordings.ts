import type { IngestionFeatureDependencies } from "../features/ingestion/index.js"
import type { createRecordingsFeature } from "../features/recordings/index.js"

type SliceSink = Parameters<NonNullable<IngestionFeatureDependencies["showing"]>>[0]
type TellStored = ReturnType<typeof createRecordingsFeature>["tellStored"]

/** Makes ingestion's sink tell of recordings once rows of them are stored. */
export const withStoredRecordings = (sink: SliceSink, tellStored: TellStored): SliceSink => ({
  write: (token, persons, events) => sink.write(token, persons, events),
  async writeSnapshots(token, inserts) {
    const refused = await sink.writeSnapshots(token, inserts)
    tellStored(inserts)
    return refused
  },
})
