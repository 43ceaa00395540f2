import type { IngestSignal } from "./ingestion.types.js"

/** The signal between capture and ingestion of one process. Other processes find appended rows by polling. */
export class AppendSignal implements IngestSignal {
  private readonly listeners = new Set<() => void>()

  /** Capture calls it after an append has committed. */
  appended(): void {
    for (const listener of this.listeners) listener()
  }

  onAppended(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }
}
