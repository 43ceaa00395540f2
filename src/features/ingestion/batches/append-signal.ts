import type { ProjectId } from "../../../kernel/ids.js"
import type { AppendListener, IngestSignal } from "../ingestion.types.js"

/** The signal between capture and ingestion of one process. Other processes find appended rows by polling. */
export class AppendSignal implements IngestSignal {
  private readonly listeners = new Set<AppendListener>()

  /** Capture calls it after an append has committed. */
  appended(projectIds: ReadonlySet<ProjectId>): void {
    for (const listener of this.listeners) listener(projectIds)
  }

  onAppended(listener: AppendListener): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }
}
