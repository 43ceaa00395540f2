import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

/** Project key of the measured server. */
export const PROJECT_KEY = "phc_bench0000000000000000000000"
/** Personal key of the measured server. */
export const PERSONAL_KEY = "phx_bench0000000000000000000000"

/** A built server on a directory of its own. */
export interface RunningServer {
  readonly url: string
  readonly pid: number
  readonly dataDirectory: string
  /** Milliseconds from spawn to the line that says it listens. */
  readonly readyAfterMs: number
  /** Resolves with the exit code or the signal once it has ended, whoever ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  stop(): Promise<void>
}

export interface WaymarkOptions {
  /** One that is kept; a new one that `stop` removes when absent. */
  readonly dataDirectory?: string
  readonly environment?: Record<string, string>
  /** Another built checkout to run; the working directory when absent. */
  readonly checkout?: string
}

/** Starts Waymark from dist on an empty data directory and a port of the system's choice. */
export async function startWaymark(options: WaymarkOptions = {}): Promise<RunningServer> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), "waymark-bench-"))
  const startedAt = performance.now()
  const child = spawn(process.execPath, ["dist/main.js"], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: options.checkout,
    env: {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: dataDirectory,
      LOG_LEVEL: "warn",
      BOOTSTRAP_PROJECT_API_KEY: PROJECT_KEY,
      BOOTSTRAP_PERSONAL_API_KEY: PERSONAL_KEY,
      ...options.environment,
    },
  })
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? code ?? 0)),
  )
  const url = await announcedUrl(child)
  const readyAfterMs = performance.now() - startedAt
  return {
    url,
    pid: child.pid ?? 0,
    dataDirectory,
    readyAfterMs,
    ended,
    async stop() {
      await end(child)
      if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Starts the baseline: a bare node:http server that only parses JSON and answers. */
export async function startBareServer(): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["bench/support/bare-server.ts"], { stdio: ["ignore", "pipe", "inherit"] })
  return { url: await announcedUrl(child), pid: child.pid ?? 0, stop: () => end(child) }
}

/** The first address that the child's standard output names. */
async function announcedUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the child has no standard output")
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /https?:\/\/[^\s"]+/.exec(line)?.[0]
    if (url !== undefined) {
      child.stdout.resume()
      return url.replace(/\/+$/, "")
    }
  }
  throw new Error(`the server ended before it listened (code ${child.exitCode})`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await ended
}
