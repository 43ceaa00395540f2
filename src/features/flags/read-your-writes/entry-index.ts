import type { ProjectId } from "../../../kernel/ids.js"

/** Entries by project and by what they are about. */
export class EntryIndex<Entry extends { readonly projectId: ProjectId }> {
  private readonly byProject = new Map<ProjectId, Map<string, Set<Entry>>>()

  add(entry: Entry, names: readonly string[]): void {
    if (names.length === 0) return
    const ofProject = this.byProject.get(entry.projectId) ?? new Map<string, Set<Entry>>()
    this.byProject.set(entry.projectId, ofProject)
    for (const name of names) ofProject.set(name, (ofProject.get(name) ?? new Set()).add(entry))
  }

  remove(entry: Entry, names: readonly string[]): void {
    const ofProject = this.byProject.get(entry.projectId)
    for (const name of names) {
      const ofName = ofProject?.get(name)
      ofName?.delete(entry)
      if (ofName?.size === 0) ofProject?.delete(name)
    }
    if (ofProject?.size === 0) this.byProject.delete(entry.projectId)
  }

  holds(projectId: ProjectId): boolean {
    return this.byProject.has(projectId)
  }

  projectIds(): ProjectId[] {
    return [...this.byProject.keys()]
  }

  names(projectId: ProjectId): Iterable<string> {
    return this.byProject.get(projectId)?.keys() ?? []
  }

  get(projectId: ProjectId, name: string): Iterable<Entry> {
    return this.byProject.get(projectId)?.get(name) ?? []
  }

  /** Every entry of a project, once. */
  all(projectId: ProjectId): Set<Entry> {
    return new Set([...(this.byProject.get(projectId)?.values() ?? [])].flatMap((entries) => [...entries]))
  }
}
