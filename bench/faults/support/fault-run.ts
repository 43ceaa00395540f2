import { CaptureLoad, type CaptureLoadOptions, readStored } from "../../../test/support/capture-load.js"
import { EventLedger, type Verdict } from "../../../test/support/event-ledger.js"
import { waitFor } from "../../../test/support/wait-for.js"
import { WaymarkApi } from "../../../test/support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../../../test/support/waymark-process.js"
import { printTable } from "../../support/table.js"

const DRAIN_WITHIN_MS = 300_000
const READY_WITHIN_MS = 60_000
const MAX_UUIDS_SHOWN = 20

/** Where a server keeps its data, until `remove`. */
interface DataDirectory {
  readonly path: string
  remove(): void
}

/** A server under load on a data directory of its own, a ledger of all that was sent, and the verdict at the end. */
export class FaultRun {
  readonly ledger = new EventLedger()
  /** Seconds from each start to the line that says it listens, the first one left out. */
  readonly restartSeconds: number[] = []
  private load: CaptureLoad | null = null
  private current: WaymarkProcess | null = null
  private url = "http://127.0.0.1:9"

  constructor(private readonly directory: DataDirectory = temporaryDirectory()) {}

  get server(): WaymarkProcess {
    if (this.current === null) throw new Error("the server was not started")
    return this.current
  }

  get api(): WaymarkApi {
    return new WaymarkApi(this.url)
  }

  /** Starts a server, with what its environment adds; answers whether it lived to say that it listens. */
  async start(environment: Record<string, string> = {}): Promise<boolean> {
    const isFirst = this.current === null
    const startedAtMs = performance.now()
    this.current = new WaymarkProcess(this.directory.path, { LOG_LEVEL: "silent", ...environment })
    const url = await this.current.ready().catch((failure: unknown) => {
      if (this.server.child.signalCode === null) throw failure
      return null
    })
    if (url === null) return false
    this.url = url
    if (!isFirst) this.restartSeconds.push((performance.now() - startedAtMs) / 1000)
    return true
  }

  startLoad(options: Omit<CaptureLoadOptions, "ledger" | "url">): void {
    this.load = new CaptureLoad({ ledger: this.ledger, url: () => this.url, ...options })
  }

  /** Waits until so many more requests are acknowledged: work is under way whenever something dies. */
  async acknowledged(requests: number): Promise<void> {
    const wanted = this.ledger.acknowledgedRequests + requests
    await waitFor("requests to be acknowledged", () => this.ledger.acknowledgedRequests >= wanted, READY_WITHIN_MS)
  }

  /** Ends the load, waits for ingestion, reads everything back, prints the ledger and stops. Exit code 1 for a broken promise. */
  async conclude(title: string, facts: readonly (readonly [string, string])[] = []): Promise<void> {
    await this.load?.stop()
    await waitFor(
      "the server to be ready",
      async () => (await this.api.get("/_readyz")).status === 200,
      READY_WITHIN_MS,
    )
    await waitFor("ingestion to drain", () => this.api.drained().then(() => true), DRAIN_WITHIN_MS)
    const verdict = this.ledger.judge(await readStored(this.api))
    print(title, [...facts, ...this.restartFacts(), ...toFacts(this.ledger, verdict)])
    await this.server.stop()
    this.directory.remove()
    const broken = Object.entries({ lost: verdict.lost, duplicated: verdict.duplicated, phantom: verdict.phantom })
    for (const [promise, uuids] of broken.filter(([, found]) => found.length > 0)) {
      process.stdout.write(`${promise}: ${uuids.slice(0, MAX_UUIDS_SHOWN).join(" ")}\n`)
      process.exitCode = 1
    }
  }

  private restartFacts(): [string, string][] {
    if (this.restartSeconds.length === 0) return []
    const longest = Math.max(...this.restartSeconds)
    const mean = this.restartSeconds.reduce((sum, seconds) => sum + seconds, 0) / this.restartSeconds.length
    return [["start to ready, mean / longest", `${mean.toFixed(1)} s / ${longest.toFixed(1)} s`]]
  }
}

const toFacts = (ledger: EventLedger, verdict: Verdict): [string, string][] => [
  ["requests acknowledged / failed", `${count(ledger.acknowledgedRequests)} / ${count(ledger.failedRequests)}`],
  ["events acknowledged", count(ledger.acknowledgedEvents)],
  ["stable", count(verdict.stable)],
  ["recovered", count(verdict.recovered)],
  ["absent (never acknowledged)", count(verdict.absent)],
  ["lost", count(verdict.lost.length)],
  ["duplicated", count(verdict.duplicated.length)],
  ["phantom", count(verdict.phantom.length)],
]

const count = (number: number): string => number.toLocaleString("en")

function print(title: string, facts: readonly (readonly [string, string])[]): void {
  printTable([title, ""], facts)
}
