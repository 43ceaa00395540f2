import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { afterEach, expect, test } from "@jest/globals"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { openRedis, type RedisConnection } from "../../../src/platform/redis/redis-connection.js"
import { waitFor } from "../../support/wait-for.js"

const COMMAND_NAME = /\*\d+\r\n\$\d+\r\n(\w+)\r\n/g

let connections = 0
const commands: string[] = []
const server = createServer((socket) => {
  connections++
  socket.on("error", () => socket.destroy())
  socket.on("data", (bytes) => {
    for (const [, name = ""] of bytes.toString().matchAll(COMMAND_NAME)) {
      commands.push(name.toLowerCase())
      socket.write(name.toLowerCase() === "select" ? "-ERR DB index is out of range\r\n" : "+OK\r\n")
    }
  })
})
let connection: RedisConnection | null = null

afterEach(async () => {
  await connection?.close()
  server.close()
})

test("a Redis without the database of the URL is not used, and asked for it again and again", async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const opened = openRedis({ url: `redis://127.0.0.1:${port}/99`, logger: silentLogger })
  connection = opened
  await waitFor("the third connection", async () => {
    await expect(opened.ping()).rejects.toMatchObject({ code: "store_unavailable" })
    return connections >= 3
  })
  expect(commands).not.toContain("ping")
})
