import type { IngestBatch, IngestLog } from "../../src/features/capture/index.js"

/** An ingest log for tests that need no disk: what was appended is read back in `batches`, as JSON would give it back. */
export class InMemoryIngestLog implements IngestLog {
  readonly batches: IngestBatch[] = []

  async append(batch: IngestBatch): Promise<void> {
    this.batches.push({ ...batch, events: JSON.parse(JSON.stringify(batch.events)) })
  }
}
