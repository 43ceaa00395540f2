import type { ChdbAddon, ChdbConnection } from "./chdb-addon.js"
import { EMBEDDED_DATABASE } from "./child-protocol.js"
import { toQuotedIdentifier } from "./sql-literal.js"

/** A connection on which nothing has run but, perhaps, the choice of its database. */
export interface FreshConnection {
  readonly connection: ChdbConnection
  /** The database it already uses; null when none has been chosen. */
  readonly database: string | null
}

/** Statement that chooses the database of a connection. */
export const useDatabase = (database: string): string => `USE ${toQuotedIdentifier(database)}`

/**
 * Opens a connection for every statement. One is kept ready with its database chosen, made while nobody waits, which takes
 * 0.4 ms off the next statement (decision 0033).
 */
export class ConnectionFactory {
  private spare: ChdbConnection | null = null
  private opening: Promise<void> | null = null
  private isClosed = false

  constructor(
    private readonly addon: ChdbAddon,
    private readonly dataDirectory: string,
  ) {}

  open(): FreshConnection {
    const spare = this.spare
    this.spare = null
    if (spare !== null) return { connection: spare, database: EMBEDDED_DATABASE }
    return { connection: this.addon.CreateConnection(this.dataDirectory), database: null }
  }

  /** Closes a connection whose statement has ended. Its answer goes out before the next spare one is made. */
  close(connection: ChdbConnection): void {
    this.addon.CloseConnection(connection)
    setImmediate(() => {
      if (this.spare === null && !this.isClosed) this.opening ??= this.openSpare()
    })
  }

  /** Closes the spare connection for good. */
  async stop(): Promise<void> {
    this.isClosed = true
    await this.opening
    if (this.spare !== null) this.addon.CloseConnection(this.spare)
    this.spare = null
  }

  private async openSpare(): Promise<void> {
    const connection = this.addon.CreateConnection(this.dataDirectory)
    try {
      await this.addon.QueryAsyncConnection(connection, useDatabase(EMBEDDED_DATABASE), "TSV")
      this.spare = connection
    } catch {
      // Whatever is wrong, the next statement will say it.
      this.addon.CloseConnection(connection)
    } finally {
      this.opening = null
    }
  }
}
