import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { PLANS, type SameFlag } from "./same-flags.js"

const FRONTEND_TOKEN = "*:development.frontend"
const ADMIN_TOKEN = "*:*.admin"
const READY_WITHIN_MS = 120_000

export interface RunningUnleash {
  readonly url: string
  readonly pid: number
  /** Asks its frontend API, which decides for one user, as `/decide` does. */
  readonly headers: Readonly<Record<string, string>>
  /** Makes flags and waits until the frontend API knows them. */
  createFlags(flags: readonly SameFlag[]): Promise<void>
  stop(): Promise<void>
}

/** What the child runs; given on the command line, because the package is no dependency of this project. */
const program = (port: number): string => `
  require("unleash-server").start({
    databaseUrl: process.env.UNLEASH_DATABASE_URL,
    server: { port: ${port}, host: "127.0.0.1" },
    versionCheck: { enable: false },
    telemetry: false,
    authentication: { type: "none", initApiTokens: [
      { environment: "development", project: "*", secret: "${FRONTEND_TOKEN}", type: "frontend", tokenName: "frontend" },
      { environment: "*", project: "*", secret: "${ADMIN_TOKEN}", type: "admin", tokenName: "admin" }] },
  }).catch((error) => { console.error(error); process.exit(1) })`

/**
 * Starts an installed unleash-server on an embedded PostgreSQL of its own.
 * @param installation folder in which `npm install unleash-server` was run.
 * @throws Error when there is none, or when it does not come up.
 */
export async function startUnleash(installation: string): Promise<RunningUnleash> {
  if (!existsSync(join(installation, "node_modules/unleash-server")))
    throw new Error(`${installation} has no node_modules/unleash-server; run npm install unleash-server there`)
  const directory = mkdtempSync(join(tmpdir(), "unleash-bench-"))
  const postgres = await startEmbeddedPostgres({ dataDirectory: directory, logger: silentLogger })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ["-e", program(port)], {
    cwd: installation,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      NODE_NO_WARNINGS: "1",
      LOG_LEVEL: "fatal",
      DATABASE_SSL: "false",
      UNLEASH_DATABASE_URL: postgres.url,
    },
  })
  const stop = async (): Promise<void> => {
    await end(child)
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await until("it answers", child, async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    pid: child.pid ?? 0,
    headers: { authorization: FRONTEND_TOKEN },
    createFlags: async (flags) => {
      for (const flag of flags) await createFlag(url, flag)
      const wanted = flags.length
      await until("it knows the flags", child, async () => (await countDecided(url)) === wanted)
    },
    stop,
  }
}

async function createFlag(url: string, { key, strategies }: SameFlag): Promise<void> {
  const features = `${url}/api/admin/projects/default/features`
  const environment = `${features}/${key}/environments/development`
  await send(features, { name: key, type: "release" })
  for (const { percentage, forPlans, variants } of strategies)
    await send(`${environment}/strategies`, {
      name: "flexibleRollout",
      parameters: { rollout: String(percentage), stickiness: "userId", groupId: key },
      constraints: forPlans ? [{ contextName: "plan", operator: "IN", values: [...PLANS] }] : [],
      variants: variants.map(({ key: name, percentage: share, payload }) => ({
        name,
        weight: share * 10,
        weightType: "variable",
        stickiness: "userId",
        ...(payload === undefined ? {} : { payload: { type: "json", value: payload } }),
      })),
    })
  await send(`${environment}/on`, {})
}

async function send(url: string, body: object): Promise<void> {
  const headers = { authorization: ADMIN_TOKEN, "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
}

/** Flags that are on for one of many users. */
async function countDecided(url: string): Promise<number> {
  const seen = new Set<string>()
  for (let user = 0; user < 300; user++) {
    const query = `userId=user-${user}&properties[plan]=team`
    const response = await fetch(`${url}/api/frontend?${query}`, { headers: { authorization: FRONTEND_TOKEN } })
    const { toggles } = (await response.json()) as { toggles: { name: string }[] }
    for (const { name } of toggles) seen.add(name)
  }
  return seen.size
}

async function until(what: string, child: ChildProcess, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (!(await isTrue())) {
    if (child.exitCode !== null) throw new Error(`unleash-server ended with ${child.exitCode} before ${what}`)
    if (performance.now() > deadline) throw new Error(`gave up waiting until ${what}`)
    await pause(500)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject()))
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await Promise.race([ended, pause(5_000)])
  child.kill("SIGKILL")
  await ended
}
