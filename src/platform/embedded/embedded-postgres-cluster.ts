import { spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { join } from "node:path"
import { asAccount, reachableBy, type ServerAccount } from "./embedded-postgres-account.js"
import type { PostgresRuntime } from "./embedded-postgres-runtime.js"
import { readLines } from "./read-lines.js"
import { StartupError } from "./startup-error.js"

/** Superuser of the embedded server. The socket's directory decides who may connect, so there is no password. */
export const SERVER_USER = "postgres"

/**
 * Makes sure that `parent` holds PostgreSQL's own data directory and returns its path. It is initialised under another
 * name and renamed when complete, so a crash half-way leaves nothing that looks usable.
 * @throws StartupError when the data belongs to another user, to another major version, or cannot be initialised.
 */
export async function ensureCluster(
  parent: string,
  runtime: PostgresRuntime,
  account: ServerAccount | null,
): Promise<string> {
  const directory = join(parent, "data")
  const draft = join(parent, "data.new")
  rmSync(draft, { recursive: true, force: true })
  if (!existsSync(directory)) {
    mkdirSync(draft, { mode: 0o700 })
    if (account !== null) lchownSync(draft, account.uid, account.gid)
    await initialise(draft, runtime, account)
    renameSync(draft, directory)
  }
  checkOwner(directory, account)
  checkVersion(directory, runtime)
  return directory
}

async function initialise(directory: string, runtime: PostgresRuntime, account: ServerAccount | null): Promise<void> {
  const target = reachableBy(account, directory)
  const options = [
    `--pgdata=${target.argument}`,
    `--username=${SERVER_USER}`,
    "--auth=trust",
    // The builtin provider sorts the same on every host; --locale=C keeps the host's own locales out altogether.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--encoding=UTF8",
    "--no-instructions",
  ]
  const child = spawn(runtime.initdb, options, {
    ...asAccount(account),
    stdio: ["ignore", "ignore", "pipe", ...target.stdio],
  })
  target.release()
  const lines: string[] = []
  readLines(child.stderr, (line) => lines.push(line))
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  if (status !== 0) throw new StartupError(`PostgreSQL could not initialise ${directory}: ${lines.join(" ")}`)
}

/** Root can hand the data to the account (a `postgres` user may have appeared since); anybody else cannot. */
function checkOwner(directory: string, account: ServerAccount | null): void {
  const owner = statSync(directory).uid
  const wanted = account?.uid ?? process.getuid?.() ?? owner
  if (owner === wanted) return
  if (account === null)
    throw new StartupError(
      `${directory} belongs to user ${owner}, and Waymark runs as ${wanted}. Start it as the same user as before, or as root.`,
    )
  for (const entry of readdirSync(directory, { recursive: true, encoding: "utf8" }))
    lchownSync(join(directory, entry), account.uid, account.gid)
  // Last, so that a crash half-way is seen at the next start.
  lchownSync(directory, account.uid, account.gid)
  chmodSync(directory, 0o700)
}

function checkVersion(directory: string, runtime: PostgresRuntime): void {
  const file = join(directory, "PG_VERSION")
  if (!existsSync(file)) throw new StartupError(`${directory} holds no PostgreSQL data. Move it away or set DATA_DIR.`)
  const version = readFileSync(file, "utf8").trim()
  if (version !== runtime.majorVersion)
    throw new StartupError(
      `${directory} was written by PostgreSQL ${version}, and this Waymark brings ${runtime.majorVersion}. Dump it with the Waymark that wrote it.`,
    )
}
