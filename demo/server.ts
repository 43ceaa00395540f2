import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

interface Keys {
  readonly projectKey: string
  readonly personalKey: string
}

export interface DemoServer extends Keys {
  readonly url: string
  /** Whether the demo started it. */
  readonly isOwn: boolean
  /** The link of its first start by which one signs in; null when somebody can already, or the demo did not start it. */
  readonly welcomeUrl: string | null
  /** Ends the server if the demo started it. */
  stop(): Promise<void>
}

/** Something that whoever started the demo has to change. */
export class DemoError extends Error {}

const READY_WITHIN_MS = 60_000

/** Uses the server at WAYMARK_URL (default http://127.0.0.1:8000) or, when none answers there, starts one. */
export async function findOrStartServer(): Promise<DemoServer> {
  const url = process.env.WAYMARK_URL ?? `http://127.0.0.1:${process.env.PORT ?? 8000}`
  const child = (await isReady(url)) ? null : startServer()
  let printed = ""
  child?.stdout?.on("data", (text) => {
    printed += text
  })
  if (child !== null) await waitUntilReady(url, child)
  const keys = readKeys(url)
  try {
    await requireOwnKeys(url, keys)
  } catch (failure) {
    await stopServer(child)
    throw failure
  }
  process.stdout.write(child === null ? `Using the server at ${url}.\n` : `Started a server at ${url}.\n`)
  const welcomeUrl = /http\S+\/welcome\?token=\S+/.exec(printed)?.[0] ?? null
  return { url, isOwn: child !== null, welcomeUrl, ...keys, stop: () => stopServer(child) }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/_readyz`).then(
    (response) => response.ok,
    () => false,
  )

function startServer(): ChildProcess {
  return spawn(process.execPath, ["--enable-source-maps", "dist/main.js"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, LOG_LEVEL: "warn" },
  })
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error("the server was not ready in time")
    await pause(100)
  }
}

async function stopServer(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await ended
}

/** Keys given by the environment win; otherwise those of the first start, kept in the data directory. */
function readKeys(url: string): Keys {
  const { BOOTSTRAP_PROJECT_API_KEY: projectKey, BOOTSTRAP_PERSONAL_API_KEY: personalKey } = process.env
  if (projectKey && personalKey) return { projectKey, personalKey }
  const file = keptKeys()
  if (!existsSync(file)) throw new DemoError(`There are no keys in ${file}. ${toSetKeysOf(url)}`)
  const kept = JSON.parse(readFileSync(file, "utf8")) as { project_api_key: string; personal_api_key: string }
  return { projectKey: projectKey ?? kept.project_api_key, personalKey: personalKey ?? kept.personal_api_key }
}

/** @throws DemoError when the server has other keys: it was started with another data directory. */
async function requireOwnKeys(url: string, { projectKey, personalKey }: Keys): Promise<void> {
  const me = await fetch(`${url}/api/users/@me/`, { headers: { authorization: `Bearer ${personalKey}` } })
  const decision = await fetch(`${url}/decide?v=3`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: projectKey, distinct_id: "demo" }),
  })
  if (me.status !== 401 && decision.status !== 401) return
  throw new DemoError(`The server at ${url} does not know the keys of ${keptKeys()}. ${toSetKeysOf(url)}`)
}

const keptKeys = (): string => join(process.env.DATA_DIR ?? "./data", "credentials.json")

const toSetKeysOf = (url: string): string =>
  `Set DATA_DIR to the data directory of the server at ${url}, or BOOTSTRAP_PROJECT_API_KEY and BOOTSTRAP_PERSONAL_API_KEY to its keys; or set PORT to a free one, and the demo starts a server of its own.`
