import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The measure of all things here: reads the whole body, parses it as JSON, answers a small JSON body. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString())
    response.setHeader("content-type", "application/json")
    response.end('{"status":"Ok"}')
  })
})

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on("SIGTERM", () => server.close(() => process.exit(0)).closeAllConnections())
