import { fillServer } from "./fill.js"
import { DemoError, findOrStartServer } from "./server.js"
import { showConsole } from "./show-console.js"

const server = await findOrStartServer().catch((failure: unknown) => {
  if (!(failure instanceof DemoError)) throw failure
  process.stderr.write(`${failure.message}\n`)
  process.exit(1)
})
try {
  await fillServer(server)
  await showConsole(server)
} finally {
  await server.stop()
}
