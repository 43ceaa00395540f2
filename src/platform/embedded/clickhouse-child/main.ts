/**
 * The embedded ClickHouse engine as a process of its own. It is started by `startEmbeddedClickHouse` with an IPC
 * channel, is told once what to open, and ends by itself when that channel closes: its parent is gone then.
 */
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { readSystemCode } from "../../../kernel/system-error.js"
import { ChdbEngine } from "./chdb-engine.js"
import type { ChildMessage, OpenMessage } from "./child-protocol.js"
import { createHttpInterface } from "./http-interface.js"

/** Running statements are killed and the directory closed within this time, or the process is ended hard. */
const CLOSE_TIMEOUT_MS = 5_000

const closing: (() => Promise<void>)[] = []
let isEnding = false

process.once("SIGTERM", () => void end())
process.once("SIGINT", () => void end())
process.once("disconnect", () => void end())
process.once("message", (message) => void open(message as OpenMessage))
if (process.send === undefined) throw new Error("This program is started by the Waymark server, with an IPC channel.")

async function open({ dataDirectory, port, password, stuckAfterMs }: OpenMessage): Promise<void> {
  try {
    const engine = await ChdbEngine.open(dataDirectory, { afterMs: stuckAfterMs, report: endHard })
    closing.unshift(() => engine.close())
    const server = createHttpInterface(engine, password)
    closing.unshift(async () => void server.close())
    tell({ type: "listening", port: await listen(server, port), repairedInserts: engine.repairedInserts })
  } catch (error) {
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
    process.disconnect()
  }
}

/** Listens on the wanted loopback port, or on another one when somebody took it meanwhile. Returns the port. */
async function listen(server: Server, wantedPort: number): Promise<number> {
  for (const port of [wantedPort, 0]) {
    try {
      await once(server.listen(port, "127.0.0.1"), "listening")
      break
    } catch (error) {
      if (readSystemCode(error) !== "EADDRINUSE" || port === 0) throw error
    }
  }
  return (server.address() as AddressInfo).port
}

async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  setTimeout(() => process.kill(process.pid, "SIGKILL"), CLOSE_TIMEOUT_MS).unref()
  for (const close of closing) await close()
  process.exit()
}

/** Nothing else ends a query that looks at nothing; inserts that are cut off come again under their token. */
function endHard(queryId: string): void {
  process.stderr.write(`Code: 394. DB::Exception: query ${queryId} was stopped and goes on: the engine starts anew\n`)
  process.kill(process.pid, "SIGKILL")
}

function tell(message: ChildMessage): void {
  process.send?.(message)
}
