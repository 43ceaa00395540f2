import { mkdir, open, readFile, rename } from "node:fs/promises"
import { dirname } from "node:path"
import type { Json } from "../../../kernel/json.js"

/** Reads a JSON file; null when it is absent or damaged, because a snapshot may always be made again. */
export async function readSnapshotFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"))
  } catch {
    return null
  }
}

/** Writes a JSON file whole or not at all, also over a power cut: temporary file, fsync, rename. */
export async function writeSnapshotFile(path: string, content: Json | object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.draft`
  const file = await open(draft, "w", 0o600)
  try {
    await file.writeFile(JSON.stringify(content))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
