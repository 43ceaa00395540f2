import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "@jest/globals"

const run = promisify(execFile)
const projectRoot = process.cwd()
const plantedRoot = join(projectRoot, "test/architecture/planted")
const cruiser = join(projectRoot, "node_modules/.bin/depcruise")
const config = join(projectRoot, ".dependency-cruiser.cjs")

interface Violation {
  readonly from: string
  readonly to: string
  readonly rule: { readonly name: string }
}

async function violationsIn(root: string): Promise<Violation[]> {
  const { stdout } = await run(process.execPath, [cruiser, "--config", config, "--output-type", "json", "src"], {
    cwd: root,
    env: { ...process.env, WAYMARK_IMPORT_ROOT: root },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((failure: { stdout?: string }) => {
    if (!failure.stdout) throw failure
    return { stdout: failure.stdout }
  })
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}

describe("the import rules", () => {
  test("find nothing to object to in the source tree", async () => {
    expect((await violationsIn(projectRoot)).map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([])
  })

  test("each bite on a tree with one planted breach per rule", async () => {
    const rules = createRequire(import.meta.url)(config) as { forbidden: { name: string }[] }
    const broken = new Set((await violationsIn(plantedRoot)).map(({ rule }) => rule.name))
    expect([...broken].sort()).toEqual(rules.forbidden.map(({ name }) => name).sort())
  })
})
