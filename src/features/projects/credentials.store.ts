import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The keys made up at the first start. */
export interface Credentials {
  readonly projectApiKey: string
  readonly personalApiKey: string
}

const OWNER_ONLY = 0o600

/** Writes `credentials.json` into the data directory, whole or not at all, for the operator's own account. Returns its path. */
export function saveCredentials(dataDirectory: string, { projectApiKey, personalApiKey }: Credentials): string {
  const path = join(dataDirectory, "credentials.json")
  const draft = `${path}.new`
  const text = JSON.stringify({ project_api_key: projectApiKey, personal_api_key: personalApiKey }, null, 2)
  // A file that is there already would keep its mode.
  rmSync(draft, { force: true })
  writeFileSync(draft, `${text}\n`, { mode: OWNER_ONLY, flush: true })
  renameSync(draft, path)
  return path
}
