import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { isJsonObject, type JsonObject, parseJson } from "../kernel/json.js"
import type { Environment } from "./environment.js"
import { toReachableHost } from "./reachable-host.js"

/** Address of the server that runs with an environment: scheme, host and port. */
export const findServer = ({ publicUrl, host, port }: Environment): string =>
  publicUrl ?? `http://${toReachableHost(host)}:${port}`

/** Keys of the first start on a data directory; none where it was given them. */
export function readCredentials(dataDirectory: string): JsonObject {
  const path = join(dataDirectory, "credentials.json")
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {}
  const read = parseJson(readFileSync(path, "utf8"))
  return isJsonObject(read) ? read : {}
}
