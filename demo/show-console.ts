import { once } from "node:events"
import type { DemoServer } from "./server.js"

/**
 * Says where all of it can be looked at. On a terminal the server that the demo started goes on until it is interrupted;
 * elsewhere nobody could interrupt it.
 */
export async function showConsole({ url, welcomeUrl, isOwn }: DemoServer): Promise<void> {
  process.stdout.write(`\nLook at it in the console: ${url}\n`)
  if (welcomeUrl !== null) process.stdout.write(`Sign in there by ${welcomeUrl} (once, within 15 minutes)\n`)
  if (!isOwn) return
  if (!process.stdout.isTTY) {
    process.stdout.write("The server that the demo started ends now; npm start serves the same data.\n")
    return
  }
  process.stdout.write("The server runs until you press Ctrl-C; npm start serves the same data later.\n")
  await once(process, "SIGINT")
}
