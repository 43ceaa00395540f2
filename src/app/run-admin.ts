import "reflect-metadata"
import { accessEntities } from "../features/access/index.js"
import { cohortEntities } from "../features/cohorts/index.js"
import { flagEntities, reencryptPayloads } from "../features/flags/index.js"
import { projectEntities } from "../features/projects/index.js"
import { reencryptSecrets, scheduledExportEntities } from "../features/scheduled-exports/index.js"
import {
  createPasswordRepository,
  createTotpRepository,
  makeResetLink,
  signInEntities,
} from "../features/sign-in/index.js"
import type { UserId } from "../kernel/ids.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { findEmbeddedPostgres } from "../platform/embedded/embedded-postgres.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { createIds, type Ids } from "../platform/ids/ids.js"
import { silentLogger } from "../platform/logger/logger.js"
import { openDatabase } from "../platform/postgres/database.js"
import type { Database } from "../platform/postgres/database.types.js"
import type { Records } from "../platform/postgres/records.js"
import { type Environment, readEnvironment } from "./environment.js"
import { openPayloadCipher } from "./open-payload-cipher.js"
import { toReachableHost } from "./reachable-host.js"
import { runBackup, runRestore, runVerify } from "./run-backup.js"
import { runExport } from "./run-export.js"
import { runImport } from "./run-import.js"

const USAGE = "Usage: npm run admin -- reset-password EMAIL | remove-second-factor EMAIL | reencrypt-payloads"

/** What whoever runs the server may do beside it, each by its name with what follows it; answers what is to be printed. */
const COMMANDS: ReadonlyMap<string, (rest: readonly string[]) => Promise<string>> = new Map([
  ["reset-password", (rest) => runForUser(rest, makeLink)],
  ["remove-second-factor", (rest) => runForUser(rest, removeSecondFactor)],
  ["reencrypt-payloads", runReencryption],
  ["backup", runBackup],
  ["verify-backup", runVerify],
  ["restore", runRestore],
  ["import", runImport],
  ["export", runExport],
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

/** A user whom a command is about, and what it works with. */
interface UserContext {
  readonly environment: Environment
  readonly records: Records
  readonly ids: Ids
  readonly user: { readonly id: UserId; readonly email: string }
}

/** Makes a link with which the user chooses another password. */
async function makeLink({ environment, records, ids, user }: UserContext): Promise<string> {
  const siteUrl = environment.publicUrl ?? `http://${toReachableHost(environment.host)}:${environment.port}`
  const passwords = createPasswordRepository(records, ids)
  return (await makeResetLink({ passwords, clock: systemClock, ids }, user.id, siteUrl, null)).url
}

/** Lets the user in by the password alone. */
async function removeSecondFactor({ records, ids, user: { id, email } }: UserContext): Promise<string> {
  const isRemoved = await createTotpRepository(records, ids).remove(id, new Date(systemClock.now()))
  if (!isRemoved) throw new StartupError(`${email} has no second factor.`)
  return `${email} signs in by the password alone.`
}

/** Runs a command for the user with an address, over the stores of the running server. */
async function runForUser(
  [email, ...rest]: readonly string[],
  run: (context: UserContext) => Promise<string>,
): Promise<string> {
  if (email === undefined || rest.length > 0) throw new StartupError(USAGE)
  const environment = readEnvironment()
  return withDatabase(environment, async ({ records }) => {
    const ids = createIds()
    const user = await createPasswordRepository(records, ids).findUserByEmail(email.trim().toLowerCase())
    if (user === null) throw new StartupError(`There is no user ${email}.`)
    return run({ environment, records, ids, user })
  })
}

/**
 * Encrypts secret payloads, and secrets of exports, with the first key, once servers have it
 * (docs/operations.md#the-key-of-encrypted-payloads).
 */
async function runReencryption(rest: readonly string[]): Promise<string> {
  if (rest.length > 0) throw new StartupError(USAGE)
  const environment = readEnvironment()
  return withDatabase(environment, async ({ records }) => {
    const cipher = openPayloadCipher(environment, environment.dataDirectory)
    if (cipher === null) throw new StartupError("There is no key. Set FLAG_PAYLOAD_KEYS as the servers have it.")
    const flags = await reencryptPayloads(records, cipher)
    const exports = await reencryptSecrets(records, cipher)
    return `Encrypted the payloads of ${flags} flags and the secrets of ${exports} exports with the first key.`
  })
}

/** Runs `work` over the database of the running server. */
async function withDatabase<T>(environment: Environment, work: (database: Database) => Promise<T>): Promise<T> {
  const url = environment.databaseUrl ?? findEmbeddedPostgres(environment.dataDirectory)
  if (url === null)
    throw new StartupError(`No server runs on ${environment.dataDirectory}. Start it, or set DATA_DIR or DATABASE_URL.`)
  const entities = [
    ...accessEntities,
    ...signInEntities,
    ...projectEntities,
    ...cohortEntities,
    ...flagEntities,
    ...scheduledExportEntities,
  ]
  const database = await openDatabase({ url, entities, logger: silentLogger })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
