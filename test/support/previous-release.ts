import { execFileSync } from "node:child_process"
import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "./waymark-process.js"

/** In place of a tag, until there is one. */
const FIRST_RELEASE = ".ci/first-release"
const LOCK_FILE = "package-lock.json"

const git = (...arguments_: string[]): Buffer =>
  execFileSync("git", arguments_, { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 256 * 1024 * 1024 })

/** The newest release before this commit, as a tag or a commit; null, and said plainly, where this clone does not have it. */
export function findPreviousRelease(): string | null {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match=v[0-9]*", "HEAD^").toString().trim()
  } catch {
    // No tag yet.
  }
  const commit = readFileSync(FIRST_RELEASE, "utf8").trim()
  try {
    git("cat-file", "-e", `${commit}^{commit}`)
    return commit
  } catch {
    console.warn(`SKIPPED: the upgrade from ${commit}, which this clone does not have`)
    return null
  }
}

/** A release with its packages, compiled: the path of its program. */
export function installRelease(release: string): { readonly main: string; remove(): void } {
  const { path, remove } = temporaryDirectory()
  execFileSync("tar", ["-x", "-C", path], { input: git("archive", release) })
  if (readFileSync(join(path, LOCK_FILE), "utf8") === readFileSync(LOCK_FILE, "utf8"))
    symlinkSync(join(process.cwd(), "node_modules"), join(path, "node_modules"))
  else execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts"], { cwd: path, stdio: "pipe" })
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: path, stdio: "pipe" })
  return { main: join(path, "dist/main.js"), remove }
}
