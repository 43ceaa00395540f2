import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"

/** @param url of the server, such as http://127.0.0.1:8000. */
export const createSocket = (url: string, key: string): Client =>
  createClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${key}` },
    retryAttempts: 10,
    shouldRetry: () => true,
  })
