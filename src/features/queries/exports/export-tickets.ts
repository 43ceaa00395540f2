import type { Clock } from "../../../kernel/clock.js"
import { asProjectId, type ProjectId } from "../../../kernel/ids.js"
import type { KeyValueCache } from "../../../platform/cache/key-value-cache.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { hashSecret } from "../../access/index.js"
import type { QueryRequest } from "../queries.types.js"
import type { ExportFormat } from "./export-format.js"

/** Long enough for a browser that follows the address at once, also on a bad line. */
const GOOD_FOR_SECONDS = 60
const TOKEN_PREFIX = "phe_"

/** An export that was permitted and has not been fetched. */
export interface ExportTicket {
  readonly projectId: ProjectId
  readonly request: QueryRequest
  readonly format: ExportFormat
}

export type ExportTickets = ReturnType<typeof createExportTickets>

/**
 * Exports that whoever has the token may fetch, once and soon: a browser keeps a file that it is led to, and sends no key
 * there. They are kept in the cache that processes share, under the hash of the token.
 */
export function createExportTickets(cache: KeyValueCache, clock: Clock, ids: Pick<Ids, "secret">) {
  const toKey = (token: string): string => `export ticket ${hashSecret(token)}`
  return {
    /** The token, and until when it is good. */
    async issue(ticket: ExportTicket): Promise<{ readonly token: string; readonly expiresAt: Date }> {
      const token = ids.secret(TOKEN_PREFIX)
      await cache.set(toKey(token), JSON.stringify(ticket), GOOD_FOR_SECONDS)
      return { token, expiresAt: new Date(clock.now() + GOOD_FOR_SECONDS * 1000) }
    },

    /** What a token is for; null for one that was used, is too old, or never was. */
    async redeem(token: string): Promise<ExportTicket | null> {
      const text = await cache.take(toKey(token))
      if (text === null) return null
      const ticket: ExportTicket = JSON.parse(text)
      return { ...ticket, projectId: asProjectId(ticket.projectId) }
    },
  }
}
