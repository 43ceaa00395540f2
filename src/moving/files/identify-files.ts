import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"

/** A name of some files by what is in them, whatever they are called and in which order they are given. */
export async function identifyFiles(paths: readonly string[]): Promise<string> {
  const digests = await Promise.all(paths.map(digestFile))
  return toName(digests.sort())
}

/** A name for a folder, of what decides what is in it. */
export const toName = (parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)

async function digestFile(path: string): Promise<string> {
  const digest = createHash("sha256")
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest("hex")
}
