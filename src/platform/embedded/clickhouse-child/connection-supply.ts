import type { ChdbAddon, ChdbConnection } from "./chdb-addon.js"
import { EMBEDDED_DATABASE } from "./child-protocol.js"
import { toQuotedIdentifier } from "./sql-literal.js"

/** A connection that nothing has been run on but, perhaps, the choice of its database. */
export interface FreshConnection {
  readonly connection: ChdbConnection
  /** The database it already uses; null when none has been chosen. */
  readonly database: string | null
}

/** Statement that chooses the database of a connection. */
export const useDatabase = (database: string): string => `USE ${toQuotedIdentifier(database)}`

/**
 * Gives every statement a connection of its own. One with its database chosen is made ahead while nobody waits, which takes
 * 0.4 ms off the next statement (decision 0033); whoever comes when there is none makes one.
 */
export class ConnectionSupply {
  readonly #addon: ChdbAddon
  readonly #dataDirectory: string
  #spare: ChdbConnection | null = null
  #making: Promise<void> | null = null
  #isClosed = false

  constructor(addon: ChdbAddon, dataDirectory: string) {
    this.#addon = addon
    this.#dataDirectory = dataDirectory
  }

  take(): FreshConnection {
    const spare = this.#spare
    this.#spare = null
    if (spare !== null) return { connection: spare, database: EMBEDDED_DATABASE }
    return { connection: this.#addon.CreateConnection(this.#dataDirectory), database: null }
  }

  /** Closes a connection whose statement has ended. Its answer goes out before a spare one is made. */
  giveBack(connection: ChdbConnection): void {
    this.#addon.CloseConnection(connection)
    setImmediate(() => {
      if (this.#spare === null && !this.#isClosed) this.#making ??= this.#makeSpare()
    })
  }

  /** Closes the spare connection; there is none afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#making
    if (this.#spare !== null) this.#addon.CloseConnection(this.#spare)
    this.#spare = null
  }

  async #makeSpare(): Promise<void> {
    const connection = this.#addon.CreateConnection(this.#dataDirectory)
    try {
      await this.#addon.QueryAsyncConnection(connection, useDatabase(EMBEDDED_DATABASE), "TSV")
      this.#spare = connection
    } catch {
      // Whatever is wrong, the next statement will say it.
      this.#addon.CloseConnection(connection)
    } finally {
      this.#making = null
    }
  }
}
