import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { waitFor } from "../support/wait-for.js"

const BINARY = "/usr/bin/redis-server"

/** A redis-server of our own on a unix socket, with nothing on disk. */
export interface PrivateRedis {
  readonly url: string
  start(): Promise<void>
  /** Ends the process at once; `start` brings it back on the same socket, empty. */
  kill(): Promise<void>
  /** Freezes the process, so that connections stay open and nothing answers. */
  freeze(): void
  thaw(): void
  dispose(): Promise<void>
}

/** Whether Redis tests can run here; says plainly when they cannot. */
export function hasRedisServer(): boolean {
  if (existsSync(BINARY)) return true
  console.warn(`SKIPPED: Redis tests, because there is no ${BINARY}`)
  return false
}

/** Prepares a private server; nothing runs until `start`. */
export async function createPrivateRedis(): Promise<PrivateRedis> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-redis-"))
  const socket = join(folder, "redis.sock")
  let child: ChildProcess | null = null

  const kill = async (): Promise<void> => {
    const running = child
    child = null
    if (running === null || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once("exit", resolve))
    running.kill("SIGKILL")
    await ended
    await rm(socket, { force: true })
  }
  return {
    url: `unix://${socket}`,
    start: async () => {
      child = spawn(BINARY, [
        "--port",
        "0",
        "--unixsocket",
        socket,
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        folder,
      ])
      await waitFor("the private redis-server", () => existsSync(socket))
    },
    kill,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    dispose: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
