import { spawn } from "node:child_process"
import { once } from "node:events"
import { open, rename } from "node:fs/promises"
import { dirname } from "node:path"
import { StartupError } from "../../platform/embedded/startup-error.js"

const MEMORY = "256M"
const WRITTEN_AT_ONCE = 256 * 1024

/**
 * Writes lines into a file in the order of their bytes, by the system's `sort`: however many there are, it keeps them on
 * the disk of the file. The file is there only when it is whole.
 * @throws StartupError when the system cannot sort them.
 */
export async function sortIntoFile(lines: AsyncIterable<string>, path: string): Promise<void> {
  const draft = `${path}.new`
  const sort = ["LC_ALL=C", "sort", "-S", MEMORY, "-T", dirname(path), "-o", draft]
  const sorter = spawn("env", sort, { stdio: ["pipe", "ignore", "pipe"] })
  let fault = ""
  sorter.stderr.on("data", (text) => {
    fault += text
  })
  // What it says of itself when it ends is the reason why it no longer reads.
  sorter.stdin.on("error", () => undefined)
  const ended = new Promise<number | null>((resolve, reject) => sorter.once("close", resolve).once("error", reject))
  try {
    await writeLines(lines, sorter.stdin, ended)
  } catch (error) {
    sorter.kill()
    throw error
  }
  const code = await ended
  if (code !== 0) throw new StartupError(`The events cannot be sorted on ${dirname(path)}: ${fault.trim() || code}`)
  const file = await open(draft)
  await file.sync()
  await file.close()
  await rename(draft, path)
}

async function writeLines(
  lines: AsyncIterable<string>,
  output: NodeJS.WritableStream,
  ended: Promise<unknown>,
): Promise<void> {
  let waiting: string[] = []
  let length = 0
  const write = async (): Promise<void> => {
    if (!output.write(waiting.join(""))) await Promise.race([once(output, "drain"), ended])
    waiting = []
    length = 0
  }
  for await (const line of lines) {
    waiting.push(line, "\n")
    length += line.length
    if (length > WRITTEN_AT_ONCE) await write()
  }
  await write()
  output.end()
}
