/** A Waymark that is killed while its PostgreSQL runs: prints the server's pid and ends by SIGKILL. */
import { writeSync } from "node:fs"
import { Client } from "pg"
import { startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"

const server = await startEmbeddedPostgres({ dataDirectory: process.argv[2] as string, logger: silentLogger })
const client = new Client({ connectionString: server.url })
await client.connect()
await client.query("create table kept as select 3 as id")
writeSync(1, String(server.pid()))
process.kill(process.pid, "SIGKILL")
