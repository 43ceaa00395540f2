import type { RequestListener } from "node:http"
import type { Registry } from "prom-client"
import type { Ids } from "../platform/ids/ids.js"
import type { Logger } from "../platform/logger/logger.js"
import type { AccessLog } from "../platform/logger/open-access-log.js"
import type { HttpServerOptions } from "../transport/http-server.js"
import type { Features } from "./create-features.js"
import type { Limits } from "./create-limits.js"
import type { Environment } from "./environment.js"
import type { Stores } from "./open-stores.js"

export interface GatewayDependencies {
  readonly environment: Environment
  readonly stores: Stores
  readonly features: Features
  /** Whether migrations are done and background work runs; a process without them is not ready. */
  readonly isPrepared: () => boolean
  readonly metrics: Registry
  readonly limits: Limits
  readonly ids: Ids
  readonly logger: Logger
  /** Null where nobody asked for it. */
  readonly accessLog: AccessLog | null
}

/** The HTTP side of the process. */
export interface Gateway {
  /** Resolves with the address that clients see once connections are accepted. */
  listen(port: number, host: string): Promise<string>
  /** Tells who balances load to send requests elsewhere; serves on. */
  announceClose(): void
  /** Stops accepting, answers what is in flight, closes sockets with 1001. */
  close(graceMs: number): Promise<void>
}

/** What answers requests behind the HTTP server of the process. */
export interface Front extends Pick<HttpServerOptions, "hot" | "handleUpgrade" | "upgradePaths"> {
  readonly web: RequestListener
  /** Whether requests for a path are answered also when everything else has taken all places; probes always are. */
  readonly isReserved: (path: string) => boolean
  /** Ends what lasts longer than a request. */
  close(graceMs: number): Promise<void>
}
