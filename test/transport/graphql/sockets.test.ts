import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals"
import { WebSocket } from "ws"
import { waitFor } from "../../support/wait-for.js"
import { GOOD_KEY, READ_KEY, revokedKeys } from "../support/sample-context.js"
import { sampleEvents } from "../support/sample-resolvers.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

interface Message {
  readonly id?: string
  readonly type: string
  readonly payload?: { data?: Record<string, unknown>; errors?: { extensions: Record<string, unknown> }[] }
}

const firstError = (message: Message | undefined): unknown =>
  (message?.payload as unknown as unknown[] | undefined)?.[0]

class Client {
  readonly messages: Message[] = []
  readonly closed: Promise<number>
  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => this.messages.push(JSON.parse(String(data)) as Message))
    this.closed = new Promise((resolve) => socket.once("close", resolve))
  }
  static async open(url: string, protocols: string[] = ["graphql-transport-ws"]): Promise<Client> {
    const socket = new WebSocket(url, protocols)
    const client = new Client(socket)
    await Promise.race([once(socket, "open"), once(socket, "error").catch(() => undefined)])
    return client
  }
  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message))
  }
  received(type: string, count = 1): Promise<Message[]> {
    return waitFor(`${count} of ${type}`, () => {
      const found = this.messages.filter((message) => message.type === type)
      return found.length >= count && found
    })
  }
  async initialise(payload: Record<string, unknown> = { Authorization: `Bearer ${GOOD_KEY}` }): Promise<void> {
    this.send({ type: "connection_init", payload })
    await this.received("connection_ack")
  }
}

/** Text, with all three bits set that no extension has given a meaning; masked, and empty. */
const FRAME_WITH_RESERVED_BITS = Buffer.from([0xf1, 0x80, 0, 0, 0, 0])
const QUERY_STATUS = 'subscription { queryStatus(id: "q1") { complete requestId } }'
const subscribe = (id: string, query = QUERY_STATUS) => ({ type: "subscribe", id, payload: { query } })

/** Publishes until somebody has it: a client cannot tell when its subscription has reached the server. */
async function publishUntil(topic: string, received: Promise<unknown>): Promise<void> {
  const timer = setInterval(() => sampleEvents.publish(topic, { complete: false }), 20)
  await received.finally(() => clearInterval(timer))
}

/** A client whose subscription to a topic is there: it has had an event. */
async function followWith(
  key: string,
  topic: string,
  query = `subscription { queryStatus(id: "${topic}") { complete requestId } }`,
): Promise<Client> {
  const client = await Client.open(gateway.socketUrl)
  await client.initialise({ Authorization: `Bearer ${key}` })
  client.send(subscribe("1", query))
  await publishUntil(topic, client.received("next"))
  return client
}

interface Served {
  readonly complete: boolean
  readonly requestId: string
}

const servedOf = ({ payload }: Message): Served | undefined => payload?.data?.queryStatus as Served | undefined
const isFinalEvent = (message: Message): boolean => message.type === "next" && servedOf(message)?.complete === true

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())
afterEach(() => revokedKeys.clear())

describe("subscriptions", () => {
  test("deliver events live, each under a context of its own", async () => {
    const client = await Client.open(gateway.socketUrl)
    await client.initialise()
    client.send(subscribe("1"))
    const received = client.received("next", 2)
    await publishUntil("q1", received)
    const [first, second] = await received
    expect(first?.payload?.data).toMatchObject({ queryStatus: { complete: false } })
    expect(first?.payload?.data).not.toEqual(second?.payload?.data)
    client.send({ type: "complete", id: "1" })
    client.socket.close()
  })

  test("and queries say on each result what was asked for", async () => {
    const client = await Client.open(gateway.socketUrl)
    await client.initialise()
    client.send(subscribe("query", "{ __typename }"))
    client.send(subscribe("schema", "{ __schema { queryType { name } } }"))
    client.send(subscribe("events"))
    await publishUntil("q1", client.received("next", 3))
    const costOf = (id: string) => client.messages.find((message) => message.id === id && message.type === "next")
    const cost = (requested: number) => ({ payload: { extensions: { cost: { requested, limit: 10_000 } } } })
    expect(costOf("query")).toMatchObject(cost(0.1))
    expect(costOf("schema")).toMatchObject(cost(2.1))
    expect(costOf("events")).toMatchObject(cost(1.2))
    client.socket.close()
  })

  test("of one key share what an event comes to, across sockets; those of another key do not", async () => {
    const keys = [GOOD_KEY, GOOD_KEY, READ_KEY]
    const clients = await Promise.all(keys.map((key) => followWith(key, "shared")))
    const requests = (at: number) =>
      clients[at]?.messages.flatMap((message) => servedOf(message)?.requestId ?? []) ?? []
    const isShared = () => requests(0).some((request) => requests(1).includes(request))
    await publishUntil("shared", waitFor("an event that both have of one request", isShared))
    expect([...requests(0), ...requests(1)].filter((request) => requests(2).includes(request))).toEqual([])
    for (const client of clients) client.socket.close()
  })

  test("get results of any size whole", async () => {
    const names = Array.from({ length: 10 }, (_, at) => `${"long".repeat(1_000)}${at}`)
    const query = `subscription { queryStatus(id: "large") { ${names.map((name) => `${name}: complete`).join(" ")} } }`
    const clients = await Promise.all([GOOD_KEY, READ_KEY].map((key) => followWith(key, "large", query)))
    for (const client of clients) {
      const [next] = await client.received("next")
      expect(next?.payload?.data).toEqual({ queryStatus: Object.fromEntries(names.map((name) => [name, false])) })
      client.socket.close()
    }
  })

  test("of a key that is revoked end with the next event, while those of others go on", async () => {
    const [revoked, other] = await Promise.all([GOOD_KEY, READ_KEY].map((key) => followWith(key, "revoked")))
    if (revoked === undefined || other === undefined) throw new Error("nobody follows")
    revokedKeys.add(GOOD_KEY)
    sampleEvents.publish("revoked", { complete: true })
    await waitFor("the event", () => other.messages.find(isFinalEvent))
    await revoked.received("complete")
    const lastNext = revoked.messages.findLast(({ type }) => type === "next")
    expect(lastNext?.payload?.errors?.[0]?.extensions).toMatchObject({ code: "UNAUTHENTICATED" })
    expect(revoked.messages.some(isFinalEvent)).toBe(false)
    for (const client of [revoked, other]) client.socket.close()
  })

  test("run queries and mutations too, with the cost limit of HTTP", async () => {
    const client = await Client.open(gateway.socketUrl)
    await client.initialise()
    client.send(subscribe("q", "{ firstPerson { name } }"))
    expect((await client.received("next"))[0]?.payload?.data).toEqual({ firstPerson: { name: "Żółć 1" } })
    client.send(subscribe("dear", "{ persons(first: 1000000) { nodes { id } } }"))
    const [error] = await client.received("error")
    expect(firstError(error)).toMatchObject({ extensions: { code: "COST_LIMIT" } })
    client.socket.close()
  })

  test("present a fault of the source as an error and nothing else", async () => {
    const client = await Client.open(gateway.socketUrl)
    await client.initialise()
    client.send(subscribe("1", 'subscription { queryStatus(id: "unknown") { complete } }'))
    const [next] = await client.received("next")
    expect(next?.payload?.errors?.[0]?.extensions).toMatchObject({ code: "NOT_FOUND" })
    expect(next?.payload?.data).toBeUndefined()
    client.socket.close()
  })

  test("of a revoked key end with 4403 although nothing happens", async () => {
    const watchful = await startGateway({ limits: { socketCheckIntervalMs: 250 } })
    const client = await Client.open(watchful.socketUrl)
    await client.initialise()
    client.send(subscribe("1"))
    revokedKeys.add(GOOD_KEY)
    expect(await client.closed).toBe(4403)
    await watchful.close()
  })
})

describe("a socket closes with", () => {
  test.each<[string, number, (client: Client) => Promise<void> | void]>([
    [
      "4429 on a second connection_init",
      4429,
      async (client) => {
        await client.initialise()
        client.send({ type: "connection_init" })
      },
    ],
    ["4400 on an unknown type", 4400, (client) => client.send({ type: "what" })],
    ["4400 on what is not JSON", 4400, (client) => client.send("what")],
    ["4400 on a message only servers send", 4400, (client) => client.send({ type: "connection_ack" })],
    ["4401 on a subscription before connection_init", 4401, (client) => client.send(subscribe("1"))],
    [
      "4409 on two subscriptions of one id",
      4409,
      async (client) => {
        await client.initialise()
        client.send(subscribe("1"))
        client.send(subscribe("1"))
      },
    ],
    [
      "4400 on an id of 1 MB",
      4400,
      async (client) => {
        await client.initialise()
        client.send(subscribe("i".repeat(1_000_000)))
      },
    ],
    ["1009 on a message of 20 MB", 1009, (client) => client.send("x".repeat(20 * 1024 * 1024))],
    [
      "4403 on a wrong key",
      4403,
      (client) => client.send({ type: "connection_init", payload: { Authorization: "Bearer phx_wrong" } }),
    ],
    [
      "4429 on a flood of pings",
      4429,
      (client) => {
        for (let count = 0; count < 1_000; count++) client.send({ type: "ping" })
      },
    ],
    [
      "1002 on reserved bits",
      1002,
      (client) => {
        Reflect.get(client.socket, "_socket").write(Buffer.from([0xf1, 0x80, 0, 0, 0, 0]))
      },
    ],
  ])("%s", async (_title, code, misbehave) => {
    const client = await Client.open(gateway.socketUrl)
    await misbehave(client)
    expect(await client.closed).toBe(code)
    expect(gateway.defects).toEqual([])
  })

  test("4408 without connection_init", async () => {
    const hasty = await startGateway({ limits: { connectionInitTimeoutMs: 20 } })
    const client = await Client.open(hasty.socketUrl)
    expect(await client.closed).toBe(4408)
    await hasty.close()
  })

  test("4406 without a subprotocol", async () => {
    const client = await Client.open(gateway.socketUrl, [])
    expect(await client.closed).toBe(4406)
  })

  test("an error in the handshake for the old subprotocol", async () => {
    const socket = new WebSocket(gateway.socketUrl, ["graphql-ws"])
    const [error] = (await once(socket, "error")) as [Error]
    expect(error.message).toContain("subprotocol")
  })
})

describe("limits of one socket", () => {
  test("a thousand subscriptions get errors above the cap and the socket lives on", async () => {
    const client = await Client.open(gateway.socketUrl)
    await client.initialise()
    for (let count = 0; count < 1_000; count++) client.send(subscribe(`s${count}`))
    const errors = await client.received("error", 900)
    expect(firstError(errors[0])).toMatchObject({ extensions: { code: "RATE_LIMITED" } })
    client.send({ type: "ping" })
    await client.received("pong")
    client.socket.close()
  })

  test("sockets above the limit of an address are sent away", async () => {
    const small = await startGateway({ streams: { perAddress: 1 } })
    const kept = await Client.open(small.socketUrl)
    const refused = await Client.open(small.socketUrl)
    expect(await refused.closed).toBe(1013)
    expect(kept.socket.readyState).toBe(WebSocket.OPEN)
    await small.close()
  })

  test("a socket without a key is closed after a while, one with a key is not", async () => {
    const brief = await startGateway({ limits: { keylessSocketMs: 500 } })
    const silent = await Client.open(brief.socketUrl)
    const keyed = await Client.open(brief.socketUrl)
    await keyed.initialise()
    const keyless = await Client.open(brief.socketUrl)
    await keyless.initialise({})
    expect(await Promise.all([silent.closed, keyless.closed])).toEqual([4401, 4401])
    expect(keyed.socket.readyState).toBe(WebSocket.OPEN)
    await brief.close()
  })

  test("one that breaks the protocol while it is turned away ends nothing but itself", async () => {
    const small = await startGateway({ streams: { perAddress: 0 } })
    const { hostname, port } = new URL(small.socketUrl)
    const connection = connect(Number(port), hostname)
    const received: Buffer[] = []
    connection.on("data", (bytes) => received.push(bytes))
    const isOver = once(connection, "close")
    connection.write(
      `GET /graphql HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
        "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n",
    )
    await waitFor("the frame that turns it away", () => Buffer.concat(received).includes("at most 0 streams"))
    connection.write(FRAME_WITH_RESERVED_BITS)
    await isOver
    const other = await Client.open(small.socketUrl)
    expect(await other.closed).toBe(1013)
    await small.close()
  })

  test("closing the gateway tells clients to go with 1001", async () => {
    const other = await startGateway()
    const client = await Client.open(other.socketUrl)
    await client.initialise()
    await other.close()
    expect(await client.closed).toBe(1001)
  })
})
