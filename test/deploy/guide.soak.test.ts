import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type BareDebian, canMakeDebian, makeBareDebian } from "../support/bare-debian.js"
import { findFreePort } from "../support/find-free-port.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { processesWith } from "../support/waymark-process.js"

const GUIDE = readFileSync("docs/operations.md", "utf8")
const REPOSITORY = "file:///repository.git"

/** The shell lines under a heading, up to the next one. */
function readLines(heading: string): string {
  const [, section = ""] = new RegExp(`\n##+ ${heading}\n([\\s\\S]*?)\n##`).exec(GUIDE) ?? []
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join("")
}

/** A repository in the Debian with this commit as v0.0.1, and one after it as v0.0.2. */
function placeRepository(debian: BareDebian): void {
  const path = join(debian.path, "repository.git")
  execFileSync("git", ["clone", "--quiet", "--bare", ".", path])
  const git = (...arguments_: string[]): string =>
    execFileSync("git", ["-C", path, "-c", "user.name=test", "-c", "user.email=test@localhost", ...arguments_], {
      encoding: "utf8",
    }).trim()
  git("tag", "v0.0.1", "HEAD")
  git("tag", "v0.0.2", git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "Next"))
}

;(canMakeDebian() ? describe : describe.skip)("the guide for a bare Debian", () => {
  let debian: BareDebian
  let port: number
  let api: WaymarkApi

  /** Follows the guide under a heading, with a port that is free here. */
  const follow = (heading: string, version: string): Promise<string> => {
    const lines = readLines(heading).replaceAll("8000", String(port))
    const [exported = "", ...rest] = lines.split("\n")
    const isFirst = exported.startsWith("export REPOSITORY=")
    const said = `export REPOSITORY=${REPOSITORY} VERSION=${version}`
    return debian.run([said, ...(isFirst ? rest : [exported, ...rest])].join("\n"))
  }
  const isReady = () => `curl --silent --fail --retry 60 --retry-delay 1 --retry-all-errors ${api.url}/_readyz`
  const readEvents = () => api.hogql("SELECT event, distinct_id FROM events")

  beforeAll(async () => {
    debian = makeBareDebian()
    placeRepository(debian)
    port = await findFreePort()
  }, 600_000)
  afterAll(async () => {
    if (processesWith(debian.path).length > 0) await debian.run("systemctl disable")
    debian.remove()
  })

  test("ends with a server that takes events, and with its keys", async () => {
    const printed = await follow("On a bare Debian", "v0.0.1")
    const [, personalKey = ""] = /"personal_api_key": "(phx_\w+)"/.exec(printed) ?? []
    const [, projectKey = ""] = /"project_api_key": "(phc_\w+)"/.exec(printed) ?? []
    expect(printed).toContain(`sign in           http://127.0.0.1:${port}/`)
    api = new WaymarkApi(`http://127.0.0.1:${port}`, personalKey)
    expect((await api.capture({ event: "installed", distinct_id: "ada" }, projectKey)).status).toBe(200)
    await api.drained()
    expect(await readEvents()).toEqual([["installed", "ada"]])
  }, 1_500_000)

  test("lets a user run it who can write nowhere else", async () => {
    const find = "find / -xdev -writable -type d -not -path '/proc/*' -not -path '/dev/*'"
    const printed = await debian.run(
      `runuser --user waymark -- ${find} | grep -v '^/\\(var/lib\\|run\\|var/log\\)/waymark'`,
    )
    expect(printed.trim().split("\n").sort()).toEqual(["/run/lock", "/tmp", "/var/tmp"])
  })

  test("upgrades with a backup before, and keeps what was stored", async () => {
    expect(await follow("Upgrading", "v0.0.2")).toContain("Backed up 1 stored events")
    await debian.run(isReady())
    expect(await debian.run("readlink /opt/waymark")).toBe("/opt/waymark-v0.0.2\n")
    expect(await readEvents()).toEqual([["installed", "ada"]])
  }, 1_500_000)

  test("changes the key of encrypted payloads, and what was encrypted is read with the new one alone", async () => {
    const flags = "/api/projects/@current/feature_flags/"
    const kept = { is_remote_configuration: true, has_encrypted_payloads: true }
    const filters = { groups: [{}], payloads: { true: '"hush"' } }
    expect((await api.post(flags, { key: "secret", ...kept, filters })).status).toBe(201)
    const readKeys = () =>
      readFileSync(join(debian.path, "var/lib/waymark/flag-payload-key"), "utf8").trim().split("\n")
    const [older] = readKeys()
    expect(await follow("The key of encrypted payloads", "v0.0.2")).toContain("payloads of 1 flags and the secrets")
    await debian.run(isReady())
    expect([readKeys().length, readKeys()[0] === older]).toEqual([1, false])
    expect((await api.get(`${flags}secret/remote_config/`)).body).toBe('"hush"')
  }, 300_000)

  test("leaves nothing behind once it is uninstalled", async () => {
    await follow("Uninstalling", "v0.0.2")
    expect(await debian.run("find / -xdev -name '*waymark*' -not -path '/proc/*' -not -path '/repository.git/*'")).toBe(
      "/var/backups/waymark\n",
    )
    expect(readdirSync(join(debian.path, "opt"))).toEqual([])
    expect(readFileSync(join(debian.path, "etc/passwd"), "utf8")).not.toContain("waymark")
  }, 300_000)
})
