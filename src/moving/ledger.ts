import { mkdir, open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import type { z } from "zod"
import { readSystemCode } from "../kernel/system-error.js"
import { StartupError } from "../platform/embedded/startup-error.js"

const FILE = "ledger.json"

/** What is known of something that is done over several runs: a file that is replaced as a whole. */
export class Ledger<State> {
  private constructor(
    private readonly folder: string,
    private readonly file: string,
    private readonly schema: z.ZodType<State>,
    /** As it was when it was last kept. */
    public state: State,
  ) {}

  /**
   * Opens the ledger in a folder, and makes the folder where it is absent.
   * @throws StartupError when the file is none.
   */
  static async open<State>(
    folder: string,
    schema: z.ZodType<State>,
    initial: State,
    file: string = FILE,
  ): Promise<Ledger<State>> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, file)
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if (readSystemCode(error) === "ENOENT") return null
      throw error
    })
    if (text === null) return new Ledger(folder, file, schema, initial)
    const read = schema.safeParse(parseOrNull(text))
    if (!read.success) throw new StartupError(`${path} is no ledger of this version. Remove it to begin anew.`)
    return new Ledger(folder, file, schema, read.data)
  }

  /** Changes the state; what was kept before counts until the new one is on disk. */
  async keep(changes: Partial<State>): Promise<void> {
    this.state = this.schema.parse({ ...this.state, ...changes })
    const draft = join(this.folder, `${this.file}.new`)
    const handle = await open(draft, "w", 0o600)
    await handle.writeFile(JSON.stringify(this.state))
    await handle.sync()
    await handle.close()
    await rename(draft, join(this.folder, this.file))
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
