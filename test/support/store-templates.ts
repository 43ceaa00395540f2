import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * `stores`: PostgreSQL and ClickHouse with all tables and no rows. `server`: what a server leaves behind that was started
 * once with the keys of the journeys.
 */
export type TemplateName = "stores" | "server"

/**
 * A new folder under the system's temporary one that holds a copy of the template, removed with `remove()`. Without templates
 * (outside the test runner) it is empty, and whoever starts on it makes it anew.
 */
export function copyOfTemplate(name: TemplateName): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `waymark-${name}-`))
  const templates = process.env.WAYMARK_TEST_TEMPLATES
  // By cp, which keeps owners: as root, PostgreSQL runs as another user. `/.` is what is in the folder, not the folder.
  if (templates !== undefined) execFileSync("cp", ["-a", `${templates}/${name}/.`, path])
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}
