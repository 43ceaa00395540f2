import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Readable } from "node:stream"
import { readSystemCode } from "../../../kernel/system-error.js"
import { type OpenTarget, TargetFault } from "./target.types.js"

/** What operators can mend; any other failure is of what is read. */
const OF_DISKS = new Set([
  "EACCES",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "EISDIR",
  "ENOENT",
  "ENOSPC",
  "ENOTDIR",
  "EPERM",
  "EROFS",
])
/** Ends the name of a file that is not whole. */
const DRAFT = ".part"

/** A folder of the server, which is made when it is absent. Files appear whole, readable by their owner alone. */
export const openFolderTarget = (folder: string, newId: () => string): OpenTarget => ({
  check: async () => {
    const path = join(folder, `check-${newId()}`)
    await orFault(async () => {
      await writeWhole(path, newId(), Readable.from([Buffer.from("Waymark can write here.\n")]))
      await rm(path)
    })
  },
  write: (path, content, signal) =>
    orFault(async () => {
      const target = join(folder, path)
      await removeDrafts(target)
      return writeWhole(target, newId(), content, signal)
    }),
})

async function writeWhole(path: string, draftId: string, content: Readable, signal?: AbortSignal): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // A name of its own: who has lost a run without knowing it must not write into the file of who took it up.
  const draft = `${path}.${draftId}${DRAFT}`
  try {
    const handle = await open(draft, "wx", 0o600)
    const size = await writeAll(handle, content, signal).finally(() => handle.close())
    await rename(draft, path)
    await syncFolder(dirname(path))
    return size
  } catch (failure) {
    await rm(draft, { force: true })
    throw failure
  }
}

/** Resolves when it is on disk. */
async function writeAll(handle: FileHandle, content: Readable, signal?: AbortSignal): Promise<number> {
  let size = 0
  for await (const piece of content) {
    signal?.throwIfAborted()
    await handle.appendFile(piece)
    size += piece.length
  }
  await handle.sync()
  return size
}

/** What a process that was killed has left of the file. */
async function removeDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch((): string[] => [])
  const drafts = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(DRAFT))
  for (const name of drafts) await rm(join(dirname(path), name), { force: true })
}

/** A name is on disk when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}

async function orFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const code = readSystemCode(cause) ?? ""
    if (!OF_DISKS.has(code)) throw cause
    throw new TargetFault(`The server cannot write to EXPORT_DIR (${code}).`, { cause })
  }
}
