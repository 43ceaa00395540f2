import type { ServerResponse } from "node:http"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Reply } from "../../kernel/reply.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { type Stream, streamUntilLeft } from "../../kernel/stream-until-left.js"
import type { Subscriber } from "../graphql/subscribe.js"
import type { SubscribeOperation } from "../graphql/subscribe-operation.js"
import { type ServerSentEvent, sendEvents } from "../realtime/server-sent-events.js"
import type { StreamPermits } from "../stream-permits.js"
import { sendReply } from "../wire/send-reply.js"
import { type StreamedReply, sendPieces } from "../wire/streamed-reply.js"
import type { EventsRoute, RestRequest } from "./rest-route.types.js"

/** Who waits for the bytes of a row. */
export interface DownloadCaller {
  readonly context: RequestContext
  /** Aborts when the client has left or the server stops. */
  readonly signal: AbortSignal
}

/** Makes the bytes of one row's answer, for a caller who may see the project by the row's scope. */
export type DownloadHandler<Variables = never> = (
  projectId: ProjectId,
  variables: Variables,
  caller: DownloadCaller,
) => Promise<StreamedReply>

/** What rows need that answer over time. */
export interface StreamSupport {
  readonly subscribe: SubscribeOperation
  readonly permits: Pick<StreamPermits, "takeFor">
  /** By the row's name for it. */
  readonly downloads: Readonly<Record<string, DownloadHandler>>
  /** Aborts when the server stops: streams end then instead of being cut. */
  readonly closing: AbortSignal
}

/** An answer that is sent over time; faults up to here were thrown, so it begins well. */
export type OpenReply = (response: ServerResponse, headers: Readonly<Record<string, string>>) => Promise<Reply>

/**
 * A signal that aborts when nobody reads the answer any more, or when the server stops.
 * @param onGone called once nobody reads it.
 */
export function untilGone(response: ServerResponse, closing: AbortSignal, onGone?: () => void): AbortSignal {
  const gone = new AbortController()
  const leave = (): void => {
    onGone?.()
    gone.abort(new AppError("query_cancelled", { detail: "The client left." }))
  }
  response.once("close", leave)
  if (response.destroyed) leave()
  return AbortSignal.any([gone.signal, closing])
}

/** Who follows a row of events. */
export interface EventsCaller {
  readonly subscriber: Subscriber
  /** In which the events begin. */
  readonly context: RequestContext
}

/**
 * Opens a row of events. A client that comes back after the last event gets 204, which tells browsers not to come again.
 * @throws AppError of the subscription's own guard and source.
 */
export async function openEvents(
  { subscribe }: StreamSupport,
  route: EventsRoute,
  request: RestRequest,
  { subscriber, context }: EventsCaller,
  signal: AbortSignal,
): Promise<OpenReply> {
  const variables = route.variables(request) as Record<string, unknown>
  const source = await subscribe(route.operation, variables, subscriber, context)
  const events = streamUntilLeft(show(route, source), () => source.return())
  const first = await events.next()
  const lastSeen = request.headers["last-event-id"]
  if (first.done || (first.value.isLast && first.value.id === lastSeen)) {
    await events.return()
    return async (response, headers) => answered(response, { status: 204, headers })
  }
  return async (response, headers) => {
    await sendEvents(response, first.value, events, { headers, signal })
    return { status: 200 }
  }
}

async function* show(route: EventsRoute, source: Stream<Record<string, unknown>>): AsyncGenerator<ServerSentEvent> {
  for await (const data of source) yield shownOnce(route, data)
}

const shown = new WeakMap<EventsRoute, WeakMap<object, ServerSentEvent>>()

/** Equal streams share the data of an event, and so what it is shown as. */
function shownOnce(route: EventsRoute, data: Record<string, unknown>): ServerSentEvent {
  const events = shown.get(route) ?? new WeakMap<object, ServerSentEvent>()
  const event = events.get(data) ?? route.event(data)
  shown.set(route, events.set(data, event))
  return event
}

/** Opens a row of bytes. */
export function openPieces(reply: StreamedReply, signal: AbortSignal): OpenReply {
  return async (response, headers) => {
    await sendPieces(response, { ...reply, headers: { ...headers, ...reply.headers } }, signal)
    return { status: reply.status }
  }
}

function answered(response: ServerResponse, reply: Reply): Reply {
  sendReply(response, reply)
  return reply
}
