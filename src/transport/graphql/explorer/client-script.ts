/** Talks to the server: operations over HTTP, subscriptions over graphql-transport-ws. */
export const CLIENT_SCRIPT = `
const PATH = "/graphql"

/** Runs an operation; the key is a personal API key, or null. Gives the HTTP status and the decoded body. */
export async function runOperation(request, key) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" }
  if (key) headers.Authorization = "Bearer " + key
  const answer = await fetch(PATH, { method: "POST", headers, body: JSON.stringify(request) })
  return { status: answer.status, body: await answer.json() }
}

/** Subscribes and returns what ends it. Each subscription has a socket of its own. */
export function subscribe(request, key, listener) {
  const scheme = location.protocol === "https:" ? "wss://" : "ws://"
  const socket = new WebSocket(scheme + location.host + PATH, "graphql-transport-ws")
  let over = false
  const send = (message) => socket.send(JSON.stringify(message))
  const end = () => {
    over = true
    socket.close(1000)
  }
  socket.onopen = () => send({ type: "connection_init", payload: key ? { Authorization: "Bearer " + key } : {} })
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    if (message.type === "connection_ack") send({ type: "subscribe", id: "1", payload: request })
    else if (message.type === "ping") send({ type: "pong" })
    else if (over) return
    else if (message.type === "next") listener.next(message.payload)
    else if (message.type === "error") {
      end()
      listener.error(message.payload)
    } else if (message.type === "complete") {
      end()
      listener.complete()
    }
  }
  socket.onclose = ({ code, reason }) => {
    if (!over) listener.closed(code, reason)
    over = true
  }
  return end
}
`
