import type { JsonObject } from "../../src/kernel/json.js"
import type { CaptureDriver } from "../features/capture/cases/capture-driver.js"
import { HttpCaptureDriver } from "./http-capture-driver.js"
import { whilePaused } from "./paused-processes.js"
import { copyOfTemplate } from "./store-templates.js"
import { WaymarkApi } from "./waymark-api.js"
import { WaymarkProcess } from "./waymark-process.js"

/** Keys that the case files write; all of them are keys of the first project. */
const CASE_KEYS = ["phc_test", "phc_TEST"]
/** The project that both keys belong to. */
export const CASE_PROJECT = 1

/** What a hook that starts it may take: there is one start after the other for each of the keys. */
export const ALL_STARTS_WITHIN_MS = 240_000

/** A server whose first project has the keys of the case files. */
export class CaptureCaseServer {
  private readonly directory = copyOfTemplate("server")
  private readonly seen = new Set<string>()
  private settings = "{}"
  private current: WaymarkProcess | null = null
  private connected: WaymarkApi | null = null

  /** Each start adds the key that its environment names. */
  async start(): Promise<void> {
    for (const key of CASE_KEYS) await this.startWith(key)
  }

  private async startWith(key: string): Promise<void> {
    await this.current?.stop()
    this.current = new WaymarkProcess(this.directory.path, { BOOTSTRAP_PROJECT_API_KEY: key })
    this.connected = new WaymarkApi(await this.current.ready())
  }

  get process(): WaymarkProcess {
    if (this.current === null) throw new Error("the server was not started")
    return this.current
  }

  get api(): WaymarkApi {
    if (this.connected === null) throw new Error("the server was not started")
    return this.connected
  }

  /** Sets what an operator may set for the project of the cases; what was set before goes. */
  async setSettings(settings: JsonObject): Promise<void> {
    const wanted = JSON.stringify(settings)
    if (wanted === this.settings) return
    this.settings = wanted
    const all = { capture_restrictions: null, quota_limits: null, ...settings }
    await this.api.changed(
      `mutation ($settings: JSON!) {
        updateProject(input: { settings: { raw: $settings } }) { project { id: number } userErrors { message } } }`,
      {
        settings: all,
      },
    )
  }

  /** A driver that gives what is stored from now on. */
  createDriver(): HttpCaptureDriver {
    return new HttpCaptureDriver(this.api, this.seen)
  }

  /** A driver that sends while PostgreSQL does not answer, to a server that has not looked up any key yet. */
  async createDriverWithoutStore(): Promise<CaptureDriver> {
    await this.start()
    const driver = this.createDriver()
    return {
      send: (request) => whilePaused(this.process.descendants("postgres"), () => driver.send(request)),
      stored: () => driver.stored(),
    }
  }

  async stop(): Promise<void> {
    await this.current?.stop()
    this.directory.remove()
  }
}
