import type { ProjectId } from "../../../kernel/ids.js"

type AppendListener = (projectIds: ReadonlySet<ProjectId>) => void

/** The signal between capture and ingestion of one process. Other processes find appended rows by polling. */
export class AppendSignal {
  private readonly listeners = new Set<AppendListener>()

  /** Capture calls it after an append has committed, with the projects of which something was appended. */
  appended(projectIds: ReadonlySet<ProjectId>): void {
    for (const listener of this.listeners) listener(projectIds)
  }

  /** Calls `listener` after every append until the returned function is called. */
  onAppended(listener: AppendListener): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }
}
