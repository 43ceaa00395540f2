import { randomUUID } from "node:crypto"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { describe, expect, test } from "@jest/globals"
import { createClickHouse } from "../../../src/platform/clickhouse/click-house-client.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../src/platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../../../src/platform/migrations/click-house-migration-target.js"
import { migrationsDirectory } from "../../../src/platform/migrations/load-migrations.js"
import { requireOneServer } from "../../../src/platform/migrations/require-one-server.js"

const WRONG_PASSWORD =
  "Code: 516. DB::Exception: waymark: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED) (version 26.7.2.1)"

/** Migrates at `url` and says what it fails with. */
async function failureAt(url: string, connectTimeoutMs = 0): Promise<unknown> {
  const clickHouse = createClickHouse({ url, logger: silentLogger })
  const target = clickHouseMigrationTarget(clickHouse, (work) => work(), { connectTimeoutMs })
  const directory = migrationsDirectory("clickhouse")
  const outcome = applyMigrations({ target, directory, logger: silentLogger })
  const failure = await outcome.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  await clickHouse.close()
  return failure
}

async function answering<T>(listener: RequestListener, ask: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    return await ask(`http://waymark:secret@127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const inOneLine = (reason: string) => ({
  name: "StartupError",
  message: `ClickHouse cannot be reached: ${reason}. Check CLICKHOUSE_URL.`,
})

describe("a ClickHouse that cannot be reached", () => {
  test("is reported in one line when nobody listens", async () => {
    expect(await failureAt("http://waymark:secret@127.0.0.1:1")).toMatchObject(
      inOneLine("connect ECONNREFUSED 127.0.0.1:1"),
    )
  })

  test("is reported in one line when it turns the user away, at once and without the password", async () => {
    const failure = await answering(
      (_request, response) => {
        response.writeHead(403, { "X-ClickHouse-Exception-Code": "516" }).end(WRONG_PASSWORD)
      },
      (url) => failureAt(url, Number.POSITIVE_INFINITY),
    )
    const reason = "waymark: Authentication failed: password is incorrect, or there is no user with such name"
    expect(failure).toMatchObject(inOneLine(reason))
  })

  test("is reported in one line when another server answers", async () => {
    const failure = await answering((_request, response) => void response.writeHead(404).end("not here"), failureAt)
    expect(failure).toMatchObject(inOneLine("HTTP 404: not here"))
  })
})

describe("an address of ClickHouse", () => {
  /** Asks whether it is one server, where `toServer` says which one a connection ends at. */
  const ask = (toServer: (connection: Socket) => string) =>
    answering(
      ({ socket }, response) => void response.end(JSON.stringify({ data: [{ id: toServer(socket) }] })),
      (url) => requireOneServer(() => createClickHouse({ url, logger: silentLogger }), "ClickHouse (http://here)"),
    )

  test("may be that of one server", async () => {
    const id = randomUUID()
    await ask(() => id)
  })

  test("with several servers behind it is refused in one line", async () => {
    const servers = [randomUUID(), randomUUID()]
    const connections: Socket[] = []
    const takeTurns = (connection: Socket): string => {
      if (!connections.includes(connection)) connections.push(connection)
      return servers[connections.indexOf(connection) % servers.length] as string
    }
    await expect(ask(takeTurns)).rejects.toMatchObject({
      name: "StartupError",
      message:
        "ClickHouse (http://here) is 2 servers or more behind one address. Set CLICKHOUSE_URL to one of them, or CLICKHOUSE_CLUSTER.",
    })
  })
})
