import "reflect-metadata"
import { accessEntities } from "../features/access/index.js"
import { createPasswordRepository, makeResetLink, signInEntities } from "../features/sign-in/index.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { findEmbeddedPostgres } from "../platform/embedded/embedded-postgres.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { createIds } from "../platform/ids/ids.js"
import { silentLogger } from "../platform/logger/logger.js"
import { openDatabase } from "../platform/postgres/database.js"
import { readEnvironment } from "./environment.js"
import { toReachableHost } from "./reachable-host.js"
import { runBackup, runRestore, runVerify } from "./run-backup.js"

const USAGE = "Usage: npm run admin -- reset-password EMAIL"

/** What whoever runs the server may do beside it, each by its name with what follows it; answers what is to be printed. */
const COMMANDS: ReadonlyMap<string, (rest: readonly string[]) => Promise<string>> = new Map([
  ["reset-password", resetPassword],
  ["backup", runBackup],
  ["verify-backup", runVerify],
  ["restore", runRestore],
])

/** Runs a command. Whatever is wrong is one line on stderr and exit code 1. */
export async function runAdmin([name = "", ...rest]: readonly string[]): Promise<void> {
  try {
    const command = COMMANDS.get(name)
    if (command === undefined) throw new StartupError(USAGE)
    process.stdout.write(`${await command(rest)}\n`)
  } catch (failure) {
    process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`)
    process.exitCode = 1
  }
}

/** Makes a link with which a user chooses another password, over the stores of the running server. */
async function resetPassword([email, ...rest]: readonly string[]): Promise<string> {
  if (email === undefined || rest.length > 0) throw new StartupError(USAGE)
  const environment = readEnvironment()
  const url = environment.databaseUrl ?? findEmbeddedPostgres(environment.dataDirectory)
  if (url === null)
    throw new StartupError(`No server runs on ${environment.dataDirectory}. Start it, or set DATA_DIR or DATABASE_URL.`)
  const entities = [...accessEntities, ...signInEntities]
  const database = await openDatabase({ url, entities, logger: silentLogger })
  try {
    const siteUrl = environment.publicUrl ?? `http://${toReachableHost(environment.host)}:${environment.port}`
    const ids = createIds()
    const passwords = createPasswordRepository(database.records, ids)
    const user = await passwords.findUserByEmail(email.trim().toLowerCase())
    if (user === null) throw new StartupError(`There is no user ${email}.`)
    return (await makeResetLink({ passwords, clock: systemClock, ids }, user.id, siteUrl, null)).url
  } finally {
    await database.close()
  }
}
