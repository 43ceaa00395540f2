import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterEach, describe, expect, test } from "@jest/globals"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { processesWith, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const directories: { path: string; remove(): void }[] = []
const servers: WaymarkProcess[] = []

const emptyDirectory = (): string => {
  const directory = temporaryDirectory()
  directories.push(directory)
  return directory.path
}

const start = (dataDirectory: string, environment: Record<string, string> = {}): WaymarkProcess => {
  const server = new WaymarkProcess(dataDirectory, environment)
  servers.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  for (const directory of directories.splice(0)) directory.remove()
})

const listenSomewhere = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => resolve(server))
  })

describe("starting Waymark", () => {
  test("on an empty directory prints the address, the public key and where both keys are kept for their owner only", async () => {
    const directory = emptyDirectory()
    const server = start(directory, { BOOTSTRAP_PROJECT_API_KEY: "", BOOTSTRAP_PERSONAL_API_KEY: "" })
    await server.ready()
    const { stdout } = await server.stop()
    expect(stdout).toMatch(/^Waymark is listening on http:\/\/127\.0\.0\.1:\d+\n/)
    const kept = JSON.parse(readFileSync(join(directory, "credentials.json"), "utf8"))
    expect(stdout).toContain(kept.project_api_key)
    expect(kept.personal_api_key).toMatch(/^phx_\w{43}$/)
    expect(stdout).not.toContain("phx_")
    expect(stdout).toContain(`personal API key  ${join(directory, "credentials.json")}\n`)
    expect(statSync(join(directory, "credentials.json")).mode & 0o777).toBe(0o600)

    const again = start(directory, { BOOTSTRAP_PROJECT_API_KEY: "", BOOTSTRAP_PERSONAL_API_KEY: "" })
    await again.ready()
    expect((await again.stop()).stdout).not.toContain("phx_")
  })

  test("with a bad configuration names every fault in one line and exits with code 1", async () => {
    const { code, stderr } = await start(emptyDirectory(), { PORT: "eighty", DATABASE_URL: "mysql://x" }).ended
    expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toContain("PORT must be a whole number")
    expect(stderr).toContain("DATABASE_URL must be a URL")
  })

  test("on a port that is taken says so in one line and exits with code 1, leaving no child behind", async () => {
    const directory = emptyDirectory()
    const holder = await listenSomewhere()
    const { port } = holder.address() as { port: number }
    const { code, stderr } = await start(directory, { PORT: String(port) }).ended
    holder.close()
    expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken`)
    expect(processesWith(directory)).toEqual([])
    // Keys made by a start that fails would be shown by no other.
    expect(existsSync(join(directory, "credentials.json"))).toBe(false)
  })

  test("on a data directory in use names the process that holds it and exits with code 1", async () => {
    const directory = emptyDirectory()
    const first = start(directory)
    await first.ready()
    const { code, stderr } = await start(directory).ended
    expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toContain(`in use by process ${first.child.pid}`)
  })

  test("on a data directory that is a file says so in one line and exits with code 1", async () => {
    const directory = emptyDirectory()
    const file = join(directory, "data")
    writeFileSync(file, "")
    const { code, stderr } = await start(file).ended
    expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toContain(file)
  })

  test("on a data directory that nobody may write to, root included, says so in one line and exits with code 1", async () => {
    const { code, stderr } = await start("/proc/waymark").ended
    expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toContain("Data directory /proc/waymark cannot be written")
  })

  test("on a copy of a data directory in use starts, and leaves the processes of the original alone", async () => {
    const [directory, copy] = [emptyDirectory(), emptyDirectory()]
    const original = start(directory)
    await original.ready()
    const stores = () => ["bin/postgres", "clickhouse-child"].map((program) => original.descendants(program)[0])
    const before = stores()
    expect(before).toEqual([expect.any(Number), expect.any(Number)])
    expect(spawnSync("cp", ["-a", join(directory, "."), copy]).status).toBe(0)
    const second = start(copy)
    const api = new WaymarkApi(await second.ready())
    expect((await api.capture({ event: "of the copy", distinct_id: "ada" })).status).toBe(200)
    expect(stores()).toEqual(before)
    expect(original.stderr).not.toContain("child died")
    const ofOriginal = new WaymarkApi(await original.ready())
    expect(await ofOriginal.hogql("SELECT count() FROM events")).toEqual([[0]])
  })

  test("with a ClickHouse of its own beside a PostgreSQL that others use names both and exits with code 1", async () => {
    const [shared, first, second] = [copyOfTemplate("stores"), emptyDirectory(), emptyDirectory()]
    directories.push(shared)
    const postgres = await startEmbeddedPostgres({ dataDirectory: shared.path, logger: silentLogger })
    try {
      await start(first, { DATABASE_URL: postgres.url }).ready()
      const { code, stderr } = await start(second, { DATABASE_URL: postgres.url }).ended
      expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 })
      expect(stderr).toContain(`ClickHouse (embedded in ${second}) does not belong to PostgreSQL (postgresql://`)
      await Promise.all(servers.map((server) => server.stop()))
    } finally {
      await postgres.stop()
    }
  })

  test("on other data than the demo looks at has the demo say what to set, and end with code 1", async () => {
    const [server, elsewhere] = [start(emptyDirectory()), emptyDirectory()]
    const url = await server.ready()
    const runDemo = async () => {
      const demo = spawn(process.execPath, ["--import", "tsx", "demo/main.ts"], {
        env: { PATH: process.env.PATH, WAYMARK_URL: url, DATA_DIR: elsewhere },
        stdio: ["ignore", "ignore", "pipe"],
      })
      const [stderr, code] = await Promise.all([
        text(demo.stderr),
        new Promise((resolve) => demo.once("close", resolve)),
      ])
      return { code, stderr }
    }
    const toSet = `Set DATA_DIR to the data directory of the server at ${url}`
    expect(await runDemo()).toEqual({ code: 1, stderr: expect.stringContaining(toSet) })
    const keys = { project_api_key: "phc_other", personal_api_key: "phx_other" }
    writeFileSync(join(elsewhere, "credentials.json"), JSON.stringify(keys))
    const refused = await runDemo()
    expect(refused).toEqual({ code: 1, stderr: expect.stringContaining(toSet) })
    expect(refused.stderr).toContain(`The server at ${url} does not know the keys of ${elsewhere}/credentials.json.`)
  })

  test("after a kill -9 stops what was left running and is ready again on the same data", async () => {
    const directory = emptyDirectory()
    const first = start(directory)
    await first.ready()
    await first.kill()
    const second = start(directory)
    await second.ready()
    await second.stop()
    expect(processesWith(directory)).toEqual([])
    expect(existsSync(join(directory, "postgres"))).toBe(true)
  })
})
