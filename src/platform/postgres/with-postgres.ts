import { Client } from "pg"
import { connectToStore } from "./connect-to-store.js"
import { isConnectionLoss } from "./connection-loss.js"

const CONNECT_LIMITS = { connectionTimeoutMillis: 5_000, keepAlive: true }

/**
 * Runs `work` with a connection of its own, whose statements may take as long as they do. Ending the session rolls back
 * what it has not committed and gives up its locks.
 * @throws StartupError when PostgreSQL cannot be reached.
 */
export async function withPostgres<T>(
  url: string,
  applicationName: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url, applicationName)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function connect(url: string, applicationName: string): Promise<Client> {
  return connectToStore({
    store: "PostgreSQL",
    variable: "DATABASE_URL",
    isAway: isConnectionLoss,
    connect: async () => {
      const client = new Client({ connectionString: url, application_name: applicationName, ...CONNECT_LIMITS })
      // Without a listener the loss of an idle connection would end the process; the next query reports it.
      client.on("error", () => undefined)
      try {
        await client.connect()
        return client
      } catch (failure) {
        await client.end()
        throw failure
      }
    },
  })
}
