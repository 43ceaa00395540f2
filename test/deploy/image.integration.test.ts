import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "@jest/globals"
import { readFiles } from "../architecture/support/read-files.js"
import { temporaryDirectory } from "../support/waymark-process.js"

const scratch = temporaryDirectory()
afterAll(() => scratch.remove())

describe("the image", () => {
  test("leaves out exactly the packages that the compiled program does not name", () => {
    const [, listed = ""] = /npm uninstall ([^&]+)&&/.exec(readFileSync("Dockerfile", "utf8")) ?? []
    const leftOut = listed.split(/[\s\\]+/).filter((word) => word !== "" && !word.startsWith("--"))
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"))
    const source = readFiles("src/**/*.ts")
      .map(({ text }) => text)
      .join("\n")
    const unused = Object.keys(dependencies).filter((name) => !new RegExp(`"${name}["/]`).test(source))
    expect(leftOut).toEqual(unused.sort())
  })
})

describe("the passwords of docker-compose.yml", () => {
  /** Runs what the service `secrets` runs, on a folder of ours. */
  const makeSecrets = (folder: string): void => {
    const [, script = ""] =
      /command:\n +- \|\n([\s\S]+?)\n {4}volumes/.exec(readFileSync("docker-compose.yml", "utf8")) ?? []
    execFileSync("sh", ["-ec", script.replaceAll("$$", "$").replaceAll("/secrets", folder)])
  }
  const readSecrets = (folder: string) =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))

  test("are made at the first start, 256 random bits each, and stay", () => {
    const folder = join(scratch.path, "secrets")
    mkdirSync(folder)
    makeSecrets(folder)
    const made = readSecrets(folder)
    expect(Object.keys(made).sort()).toEqual(["clickhouse", "flag-payloads", "postgres", "redis"])
    for (const secret of Object.values(made)) expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(Object.values(made)).size).toBe(4)
    // Other containers read them as users of their own.
    expect(statSync(join(folder, "postgres")).mode & 0o444).toBe(0o444)
    makeSecrets(folder)
    expect(readSecrets(folder)).toEqual(made)
  })

  test("stand in no file of the repository", () => {
    expect(readFileSync("docker-compose.yml", "utf8")).not.toMatch(/PASSWORD: |waymark:waymark/)
  })
})
