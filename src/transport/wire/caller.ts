import type { IncomingMessage, ServerResponse } from "node:http"
import type { RequestContext } from "../../kernel/request-context.js"

/**
 * What the wire knows of who calls. The first three are where a personal API key may stand, looked through in this
 * order (`docs/contract/management.md#keys`); whether it is a good one is not for the transport to say.
 */
export interface Caller {
  readonly authorization: string | undefined
  /** Parsed JSON body; undefined when the protocol takes no key from there. */
  readonly body?: unknown
  /** Query parameter `personal_api_key`. */
  readonly queryParameter?: string | undefined
  /** Token of the browser session, where the protocol takes one and a page of this server sent it; counts without a key. */
  readonly session?: string | undefined
  /** What the request is answered with; absent where the context is of an event or a socket. */
  readonly response?: ServerResponse
  /** Head of the request and the socket it came over, for the client's address and links. */
  readonly request: Pick<IncomingMessage, "headers" | "socket">
}

/** Passed in by the app: authenticates the caller and makes what one request carries. */
export type CreateContext = (caller: Caller) => Promise<RequestContext>

/** Everything that a caller's rights come from, for telling equal callers. */
export const describeCredential = ({ authorization = "", session = "" }: Caller): string =>
  authorization === "" && session !== "" ? `session ${session}` : authorization
