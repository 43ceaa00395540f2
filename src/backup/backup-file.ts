import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type { BackupFile } from "./manifest.js"

type Digest = Omit<BackupFile, "path">

/** Writes a file of a backup while it comes, readable by its owner alone; resolves when it is on disk. */
export async function writeBackupFile(folder: string, path: string, content: Readable): Promise<BackupFile> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const handle = await open(target, "w", 0o600)
  const counter = new DigestCounter()
  await pipeline(content, counter.pass, handle.createWriteStream({ flush: true }))
  return { path, ...counter.digest() }
}

/** The same for content that is compressed on its way into the file. */
export async function writeCompressedFile(folder: string, path: string, content: Readable): Promise<BackupFile> {
  const gzip = createGzip({ level: 1 })
  const [, file] = await Promise.all([pipeline(content, gzip), writeBackupFile(folder, path, gzip)])
  return file
}

/** Length and SHA-256 of a file as it is; null when it cannot be read. */
export async function readDigest(path: string): Promise<Digest | null> {
  const counter = new DigestCounter()
  try {
    for await (const _ of counter.pass(createReadStream(path)));
    return counter.digest()
  } catch {
    return null
  }
}

/** Counts and hashes what passes. */
class DigestCounter {
  private readonly hash = createHash("sha256")
  private bytes = 0

  readonly pass = async function* (this: DigestCounter, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.hash.update(piece)
      this.bytes += piece.length
      yield piece
    }
  }.bind(this)

  digest(): Digest {
    return { bytes: this.bytes, sha256: this.hash.digest("hex") }
  }
}
