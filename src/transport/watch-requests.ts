import type { IncomingMessage, ServerResponse } from "node:http"
import { type RequestNote, withNote } from "../kernel/request-note.js"

/** Stands around the handling of every request. */
export type AroundRequest = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void

/** A request that is about to be handled, and the note that is taken of it meanwhile. */
export interface WatchedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly note: RequestNote
}

/** Handles a request by `handle`, and tells somebody of it. */
export type WatchRequest = (watched: WatchedRequest, handle: () => void) => void

/** Has every request watched by these, the first of them outside of the others; null when there are none. */
export function watchRequests(watchers: readonly WatchRequest[]): AroundRequest | null {
  if (watchers.length === 0) return null
  return (request, response, handle) => {
    const watched = { request, response, note: { route: null, projectId: null } }
    withNote(
      watched.note,
      watchers.reduceRight<() => void>((inner, watch) => () => watch(watched, inner), handle),
    )
  }
}
