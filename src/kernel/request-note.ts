import { AsyncLocalStorage } from "node:async_hooks"
import type { ProjectId } from "./ids.js"

/** What becomes known of a request while it is answered, for the line that the access log has of it. */
export interface RequestNote {
  /** Row of the route table; null until it is found, and for what is in none. */
  route: string | null
  /** Null while no project is found, and where there is none. */
  projectId: ProjectId | null
}

const notes = new AsyncLocalStorage<RequestNote>()

/** Runs `work`, and all that it begins, for the request of this note. */
export const withNote = (note: RequestNote, work: () => void): void => notes.run(note, work)

/** Notes which row answers the present request. Does nothing where no notes are taken. */
export function noteRoute(route: string): void {
  const note = notes.getStore()
  if (note !== undefined) note.route = route
}

/** Notes which project the present request is about. Does nothing where no notes are taken. */
export function noteProject(projectId: ProjectId): void {
  const note = notes.getStore()
  if (note !== undefined) note.projectId = projectId
}

/** A callback that still belongs to the present request when a stream calls it; itself where no notes are taken. */
export const keepNote = <Callback extends (...given: never[]) => void>(callback: Callback): Callback =>
  notes.getStore() === undefined ? callback : AsyncLocalStorage.bind(callback)
