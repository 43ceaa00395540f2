import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { beforeAll, describe, expect, test } from "@jest/globals"

let root: string
const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...words], { cwd: root })
const write = (schema: string) => writeFileSync(join(root, "schema.graphql"), schema)

function diff(...words: string[]) {
  const { status, stdout } = spawnSync(process.execPath, ["scripts/schema-diff.mjs", ...words], {
    cwd: root,
    encoding: "utf8",
  })
  return { status, stdout }
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "schema-diff-"))
  mkdirSync(join(root, "scripts"))
  cpSync(resolve("scripts/schema-diff.mjs"), join(root, "scripts/schema-diff.mjs"))
  symlinkSync(resolve("node_modules"), join(root, "node_modules"))
  write("enum Kind { A }\ntype Query { name: String kind: Kind }\n")
  git("init", "-q")
  git("add", "schema.graphql")
  git("commit", "-qm", "First")
})

describe("the list of changes of the schema", () => {
  test("is empty for a schema that clients can go on with", () => {
    write("enum Kind { A }\ntype Query { name: String kind: Kind more: Int }\n")
    expect(diff()).toEqual({ status: 0, stdout: "schema.graphql breaks nothing that worked at HEAD.\n" })
  })

  test("names what would break a client, and what one may stumble over", () => {
    write("enum Kind { A B }\ntype Query { kind: Kind }\n")
    const { status, stdout } = diff("HEAD")
    expect(status).toBe(1)
    expect(stdout.split("\n")).toEqual([
      "breaking FIELD_REMOVED: Query.name was removed.",
      "dangerous VALUE_ADDED_TO_ENUM: B was added to enum type Kind.",
      "",
    ])
  })
})
