import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"

const ADMIN = join(process.cwd(), "dist/admin.js")

/** How a command ended. */
interface EndedCommand {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts what `npm run backup` and its like run, with the environment of the server that it is beside. */
export function startAdminCommand(
  arguments_: readonly string[],
  environment: Record<string, string>,
): { readonly pid: number; readonly ended: Promise<EndedCommand>; kill(signal: NodeJS.Signals): void } {
  const child = spawn(process.execPath, [ADMIN, ...arguments_], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
  })
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve))
  const ended = Promise.all([text(child.stdout), text(child.stderr), closed])
  return {
    pid: child.pid ?? 0,
    ended: ended.then(([stdout, stderr, code]) => ({ code, stdout, stderr })),
    kill: (signal) => void child.kill(signal),
  }
}

/** Runs such a command to its end. */
export const runAdminCommand = (
  arguments_: readonly string[],
  environment: Record<string, string>,
): Promise<EndedCommand> => startAdminCommand(arguments_, environment).ended
