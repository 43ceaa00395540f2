import { open, rename } from "node:fs/promises"
import { join } from "node:path"

/** The keys made up at the first start. */
export interface Credentials {
  readonly projectApiKey: string
  readonly personalApiKey: string
}

const OWNER_ONLY = 0o600

/** Writes `credentials.json` into the data directory, whole or not at all, for the operator's own account. Returns its path. */
export async function saveCredentials(
  dataDirectory: string,
  { projectApiKey, personalApiKey }: Credentials,
): Promise<string> {
  const path = join(dataDirectory, "credentials.json")
  const text = JSON.stringify({ project_api_key: projectApiKey, personal_api_key: personalApiKey }, null, 2)
  const temporary = `${path}.new`
  const file = await open(temporary, "w", OWNER_ONLY)
  try {
    await file.chmod(OWNER_ONLY)
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  return path
}
