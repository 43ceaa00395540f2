import { createClient as createSocketClient, type Client as SocketClient } from "graphql-ws"
import { createContext, type ReactNode, useContext } from "react"
import {
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  mapExchange,
  Provider,
  subscriptionExchange,
} from "urql"

const PATH = "/graphql"

/**
 * What requests say so that the server takes the session's cookie, which browsers would add to those of other sites too
 * (docs/sign-in.md#what-is-kept-and-how).
 */
export const FROM_CONSOLE = { "Waymark-Console": "1" } as const

/** The two ways to the server: urql for all operations, and the socket below it for what needs more of it. */
export interface Graph {
  readonly client: Client
  readonly socket: SocketClient
}

/** Whether the server does not know who asks. */
const isUnauthenticated = ({ graphQLErrors }: CombinedError): boolean =>
  graphQLErrors.some(({ extensions }) => extensions.code === "UNAUTHENTICATED")

/**
 * Makes the ways to the server: queries and mutations over HTTP, subscriptions over one socket, which is opened with the
 * first of them and connects again by itself.
 */
export function createGraph(onUnauthenticated: () => void): Graph {
  const socketUrl = new URL(PATH, location.href)
  socketUrl.protocol = socketUrl.protocol === "https:" ? "wss:" : "ws:"
  const socket = createSocketClient({
    url: socketUrl.href,
    connectionParams: { console: true },
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
  })
  const client = new Client({
    url: PATH,
    preferGetMethod: false,
    fetchOptions: { headers: FROM_CONSOLE },
    exchanges: [
      mapExchange({ onError: (error) => isUnauthenticated(error) && onUnauthenticated() }),
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = "", variables }) => ({
          subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables: { ...variables } }, sink) }),
        }),
      }),
    ],
  })
  return { client, socket }
}

const GraphContext = createContext<Graph | null>(null)

/** Lets the screens below it ask. */
export function GraphProvider({ graph, children }: { readonly graph: Graph; readonly children: ReactNode }) {
  return (
    <GraphContext value={graph}>
      <Provider value={graph.client}>{children}</Provider>
    </GraphContext>
  )
}

/** The ways to the server of this page. @throws Error outside of a provider. */
export function useGraph(): Graph {
  const graph = useContext(GraphContext)
  if (graph === null) throw new Error("there is no GraphProvider above")
  return graph
}
