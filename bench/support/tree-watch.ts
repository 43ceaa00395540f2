import { spawnSync } from "node:child_process"
import { setTimeout as pause } from "node:timers/promises"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { memoryOfTree, treeOf } from "./memory.js"
import { identifyProcess, type ProcessIdentity } from "./process-id.js"

/** What a server's processes took since the last look, and which they are. */
export interface TreeLook {
  /** Of all together, at the moment when that was highest. */
  readonly peakMegabytes: number
  /** Of the data directory, temporary files included. */
  readonly peakDiskMegabytes: number
  /** All that were seen so far, those that have ended included. */
  readonly processes: readonly ProcessIdentity[]
}

interface Watched {
  readonly pid: number
  readonly dataDirectory: string
}

const LOOK_EVERY_MS = 400
const MEGABYTES = /^(\d+)/

/** Watches memory and disk of a server in a thread of its own, so that whoever measures times is not held up. */
export class TreeWatch {
  private readonly worker: Worker

  constructor({ pid, dataDirectory }: Watched) {
    this.worker = new Worker(new URL(import.meta.url), { workerData: { pid, dataDirectory } })
  }

  /** What was seen since the last call. */
  async look(): Promise<TreeLook> {
    const look = new Promise<TreeLook>((resolve) => this.worker.once("message", resolve))
    this.worker.postMessage("look")
    return look
  }

  async stop(): Promise<void> {
    await this.worker.terminate()
  }
}

async function watch({ pid, dataDirectory }: Watched): Promise<void> {
  const seen = new Map<number, ProcessIdentity>()
  let peakMegabytes = 0
  let peakDiskMegabytes = 0
  const measure = (): void => {
    for (const one of treeOf(pid).map(identifyProcess)) if (one !== null) seen.set(one.pid, one)
    peakMegabytes = Math.max(peakMegabytes, memoryOfTree(pid).proportionalMegabytes)
    const { stdout } = spawnSync("du", ["-sm", dataDirectory], { encoding: "utf8" })
    peakDiskMegabytes = Math.max(peakDiskMegabytes, Number(MEGABYTES.exec(stdout)?.[1] ?? 0))
  }
  parentPort?.on("message", () => {
    measure()
    parentPort?.postMessage({ peakMegabytes, peakDiskMegabytes, processes: [...seen.values()] } satisfies TreeLook)
    peakMegabytes = 0
    peakDiskMegabytes = 0
  })
  for (;;) {
    measure()
    await pause(LOOK_EVERY_MS)
  }
}

if (!isMainThread) await watch(workerData as Watched)
