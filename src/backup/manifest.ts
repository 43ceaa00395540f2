import { open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { StartupError } from "../platform/embedded/startup-error.js"

const FORMAT = 1
const FILE = "manifest.json"
/** Is there from the beginning of the first backup of a folder until the manifest takes its place. */
export const MANIFEST_DRAFT = `${FILE}.new`

const migrations = z.array(z.object({ name: z.string(), checksum: z.string() }))
/** A file of a backup. */
export const backupFile = z.object({
  /** Relative to the folder of the backup, with slashes. */
  path: z.string().regex(/^(?:[\w$-][\w$.-]*\/)*[\w$-][\w$.-]*$/),
  bytes: z.int(),
  /** SHA-256 in hexadecimal. */
  sha256: z.string(),
})

/** The rows of a table of ClickHouse, or those of one day, in a file. */
export const tablePart = z.object({
  /** `YYYY-MM-DD` in UTC; null for a table that is not divided into days. */
  day: z.string().nullable(),
  rows: z.int(),
  /** Sum over the rows of a hash of all their columns, in decimal digits. */
  checksum: z.string(),
  file: backupFile,
})

const manifest = z.object({
  format: z.literal(FORMAT),
  /** Version of the program that wrote it. */
  waymark: z.string(),
  /** ISO 8601: every event that was acknowledged before it is in the backup. */
  takenAt: z.iso.datetime(),
  /** Of the two stores it was taken of (decision 0052). */
  storeId: z.string(),
  postgres: z.object({
    migrations,
    sequences: z.array(z.object({ name: z.string(), value: z.string() })),
    /** In an order in which rows come after those that they refer to. */
    tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), file: backupFile })),
  }),
  clickHouse: z.object({
    migrations,
    tables: z.array(
      z.object({
        name: z.string(),
        columns: z.array(z.string()),
        /** Whether rows end by themselves at a time that they carry. */
        hasEnd: z.boolean(),
        parts: z.array(tablePart),
      }),
    ),
  }),
  /** Files of the data directory. */
  dataFiles: z.array(backupFile),
})

/** What a backup holds: the file `manifest.json` in its folder. */
export type Manifest = z.output<typeof manifest>
export type BackupFile = z.output<typeof backupFile>
export type TablePart = z.output<typeof tablePart>

/** Every file that a backup consists of, besides the manifest. */
export const listFiles = ({ postgres, clickHouse, dataFiles }: Manifest): BackupFile[] => [
  ...postgres.tables.map((table) => table.file),
  ...clickHouse.tables.flatMap(({ parts }) => parts.map((part) => part.file)),
  ...dataFiles,
]

/** Puts the manifest into its folder, whole and in place of an earlier one, which counts until then. */
export async function writeManifest(folder: string, content: Omit<Manifest, "format">): Promise<Manifest> {
  const written: Manifest = { format: FORMAT, ...content }
  const draft = join(folder, MANIFEST_DRAFT)
  const handle = await open(draft, "w", 0o600)
  await handle.writeFile(`${JSON.stringify(written, null, 1)}\n`)
  await handle.sync()
  await handle.close()
  await rename(draft, join(folder, FILE))
  return written
}

/** The manifest of a folder; null when the folder has none. @throws StartupError when it cannot be read. */
export async function findManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, FILE)
  const text = await readFile(path, "utf8").catch(() => null)
  if (text === null) return null
  const parsed = manifest.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new StartupError(
    `${path} is not a manifest that this program reads: ${issue?.path.join(".")} ${issue?.message}`,
  )
}

/** The same for a folder that has to be a backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const found = await findManifest(folder)
  if (found === null) throw new StartupError(`${folder} holds no backup: there is no ${FILE} in it.`)
  return found
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
