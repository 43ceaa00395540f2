import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { startEmbeddedStores } from "./embedded-stores.js"
import { WaymarkProcess } from "./waymark-process.js"

/** `make-templates.ts DIRECTORY` makes what `copyTemplate` copies: stores with all tables, and a server after its first start. */
const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error("name the directory")
const stores = await startEmbeddedStores({ keepIn: join(directory, "stores") })
await stores.stop()
// A first start makes the same tables.
execFileSync("cp", ["-a", join(directory, "stores"), join(directory, "server")])
const server = new WaymarkProcess(join(directory, "server"))
await server.ready()
await server.stop()
