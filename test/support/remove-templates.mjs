import { rmSync } from "node:fs"

/** Runs after the suites that need stores. */
export default async function removeTemplates() {
  rmSync(process.env.WAYMARK_TEST_TEMPLATES, { recursive: true, force: true })
}
