import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"

const ADMIN = join(process.cwd(), "dist/admin.js")

/** Runs what `npm run backup` and its like run, with the environment of the server that it is beside. */
export async function runAdminCommand(
  arguments_: readonly string[],
  environment: Record<string, string>,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [ADMIN, ...arguments_], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}
