import { spawnSync } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("make-templates.ts", import.meta.url))

/** Runs before the suites that need stores. Plain JavaScript, because the runner loads it before it can read TypeScript. */
export default async function prepareTemplates() {
  const directory = mkdtempSync(join(tmpdir(), "waymark-templates-"))
  const { status } = spawnSync(process.execPath, ["--import", "tsx", program, directory], { stdio: "inherit" })
  if (status !== 0) throw new Error("the template directories could not be made")
  // Workers inherit it.
  process.env.WAYMARK_TEST_TEMPLATES = directory
}
