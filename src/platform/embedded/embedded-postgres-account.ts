import { spawnSync } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { StartupError } from "./startup-error.js"

/** The operating-system user that PostgreSQL runs as. */
export interface ServerAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root. `nobody` exists everywhere, so no user has to be made on the host. */
const ACCOUNTS_IN_PLACE_OF_ROOT = ["postgres", "nobody"]

/** Everything PostgreSQL may know of its surroundings: the operator's locale and time zone must not change what is stored. */
const SERVER_ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

/**
 * Whom PostgreSQL has to run as: another user when Waymark is root, null (the same user) otherwise.
 * @throws StartupError when Waymark is root and knows no other user.
 */
export function findServerAccount(): ServerAccount | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ACCOUNTS_IN_PLACE_OF_ROOT) {
    const [uid, gid] = [readId("-u", name), readId("-g", name)]
    if (uid !== null && gid !== null) return { name, uid, gid }
  }
  throw new StartupError(
    "PostgreSQL does not run as root, and there is no user postgres or nobody. Start Waymark as another user or set DATABASE_URL.",
  )
}

/** Options that make a spawned process run as the account; its working directory is one that everybody may enter. */
export function asAccount(account: ServerAccount | null) {
  return { env: SERVER_ENVIRONMENT, cwd: "/", ...(account === null ? {} : { uid: account.uid, gid: account.gid }) }
}

const FIRST_FREE_DESCRIPTOR = 3

/** A directory in the form in which a process run by the account can open it. */
export interface ReachableDirectory {
  /** What to name it in the process's arguments. */
  readonly argument: string
  /** To append to the process's `stdio`. */
  readonly stdio: readonly number[]
  /** To call once the process is spawned. */
  release(): void
}

/**
 * Opens a directory for a process that runs as the account. Linux hands it over as an open descriptor: root may have put
 * the data below a directory that nobody else can enter (/root), and data must not be moved to a place that gets cleaned.
 */
export function reachableBy(account: ServerAccount | null, directory: string): ReachableDirectory {
  if (account === null || process.platform !== "linux")
    return { argument: directory, stdio: [], release: () => undefined }
  const descriptor = openSync(directory, "r")
  return {
    argument: `/proc/self/fd/${FIRST_FREE_DESCRIPTOR}`,
    stdio: [descriptor],
    release: () => closeSync(descriptor),
  }
}

function readId(option: string, name: string): number | null {
  const answer = spawnSync("id", [option, name], { encoding: "utf8", env: SERVER_ENVIRONMENT })
  return answer.status === 0 ? Number(answer.stdout) : null
}
