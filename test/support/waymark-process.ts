import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { waitFor } from "./wait-for.js"

/** Project key that every server of the journeys is started with. */
export const PROJECT_KEY = "phc_journey00000000000000000000"
/** Personal key that every server of the journeys is started with. */
export const PERSONAL_KEY = "phx_journey00000000000000000000"

/** Generous, because several servers may start at once on a small machine; how fast a start is, the bench says. */
const READY_WITHIN_MS = 60_000
const MAIN = join(process.cwd(), "dist/main.js")

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A real server process on a data directory of its own, started from dist as `npm start` does. */
export class WaymarkProcess {
  readonly child: ChildProcess
  readonly dataDirectory: string
  readonly ended: Promise<Ended>
  stdout = ""
  stderr = ""

  /** @param main another release's program than the one of this checkout. */
  constructor(dataDirectory: string, environment: Record<string, string> = {}, main = MAIN) {
    this.dataDirectory = dataDirectory
    this.child = spawn(process.execPath, ["--enable-source-maps", main], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        TMPDIR: tmpdir(),
        HOST: "127.0.0.1",
        PORT: "0",
        DATA_DIR: dataDirectory,
        LOG_LEVEL: "warn",
        EXPORT_DIR: join(dataDirectory, "exports"),
        BOOTSTRAP_PROJECT_API_KEY: PROJECT_KEY,
        BOOTSTRAP_PERSONAL_API_KEY: PERSONAL_KEY,
        ...environment,
      },
    })
    this.child.stdout?.on("data", (text) => {
      this.stdout += text
    })
    this.child.stderr?.on("data", (text) => {
      this.stderr += text
    })
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }))
    })
  }

  /** Address of the server, once its line says that it listens. Rejects with what it said when it ends instead. */
  async ready(): Promise<string> {
    const urlOrEnd = (): string | Error | null => {
      const announced = /listening on (\S+)/.exec(this.stdout)?.[1]
      if (announced !== undefined) return announced
      const end = this.child.exitCode ?? this.child.signalCode
      return end === null ? null : new Error(`ended with ${end}: ${this.stderr}`)
    }
    const url = await waitFor("the server to listen", urlOrEnd, READY_WITHIN_MS)
    if (url instanceof Error) throw url
    return url.replace(/\/+$/, "")
  }

  /** SIGTERM, and the end of it. */
  async stop(): Promise<Ended> {
    this.child.kill("SIGTERM")
    return this.ended
  }

  /** kill -9, and the end of it. */
  async kill(): Promise<Ended> {
    this.child.kill("SIGKILL")
    return this.ended
  }

  /** Pids of the server's descendants whose command line contains `text`. */
  descendants(text: string): number[] {
    return processesWith(text).filter((pid) => isDescendant(pid, this.child.pid ?? -1))
  }
}

/** A new empty folder under the system's temporary one, removed with `remove()`. */
export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "waymark-test-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Pids of all processes whose command line contains `text`. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProc(pid, "cmdline").replaceAll("\0", " ").includes(text))
}

function isDescendant(pid: number, ancestor: number): boolean {
  for (let current = pid; current > 1; ) {
    if (current === ancestor) return true
    current = Number(/\) \S (\d+)/.exec(readProc(current, "stat"))?.[1] ?? 0)
  }
  return false
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}
