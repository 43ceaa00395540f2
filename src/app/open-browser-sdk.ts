import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { BrowserSdk } from "../transport/browser-sdk.js"

/** Its one script that every generation has tells the right folder from a wrong one. */
const SDK_SCRIPT = "array.js"

/**
 * Finds the scripts of the browser SDK: those of the given folder, else of the package that is installed with Waymark, so that a
 * page pointed here records without anything to be set.
 * @throws StartupError for a given folder that has no scripts of the SDK.
 */
export function openBrowserSdk(given: string | null): BrowserSdk | null {
  const directory = given ?? installedScripts()
  if (directory === null) return null
  if (!existsSync(join(directory, SDK_SCRIPT)))
    throw new StartupError(`BROWSER_SDK_DIR ${directory} has no ${SDK_SCRIPT}: it must be the dist of posthog-js.`)
  return { directory, version: readVersion(directory) }
}

/** Null where whoever packed this installation left the package out. */
function installedScripts(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("posthog-js/package.json")), "dist")
  } catch {
    return null
  }
}

/** As the package says beside its scripts; a folder that was copied without it is as good. */
function readVersion(directory: string): string | null {
  const path = join(directory, "../package.json")
  if (!existsSync(path)) return null
  return /"version":\s*"(\d+\.\d+\.\d+)"/.exec(readFileSync(path, "utf8"))?.[1] ?? null
}
