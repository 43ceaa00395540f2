import { existsSync } from "node:fs"
import { join } from "node:path"
import { KNOWN_PROJECTS_FILE } from "./known-projects.store.js"

/** Where the snapshots of rules live in a data directory. */
export const snapshotDirectoryIn = (dataDirectory: string): string => join(dataDirectory, "flag-rules")

/** Whether a process on this data directory could decide flags without any store. */
export const hasRuleSnapshots = (dataDirectory: string): boolean =>
  existsSync(join(snapshotDirectoryIn(dataDirectory), KNOWN_PROJECTS_FILE))
