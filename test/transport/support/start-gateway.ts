import { silentLogger } from "../../../src/platform/logger/logger.js"
import { buildGraphqlSchema } from "../../../src/transport/graphql/build-schema.js"
import { createGraphqlGateway, type TrustedDocuments } from "../../../src/transport/graphql/graphql-gateway.js"
import type { GraphqlLimits } from "../../../src/transport/graphql/graphql-limits.js"
import type { IntrospectionLimits } from "../../../src/transport/graphql/introspection.js"
import { createHttpServer, type HotHandler } from "../../../src/transport/http-server.js"
import type { ConsumeRateLimit } from "../../../src/transport/rate-limit.js"
import type { StreamLimits } from "../../../src/transport/stream-permits.js"
import { createWebApp } from "../../../src/transport/web-app.js"
import type { CreateContext } from "../../../src/transport/wire/caller.js"
import { ampleMemory } from "../../support/ample-memory.js"
import { createSampleContext } from "./sample-context.js"
import { endlessRate, samplePermits } from "./sample-limits.js"
import { SampleResolver } from "./sample-resolvers.js"

export interface RunningGateway {
  readonly url: string
  readonly socketUrl: string
  /** What was logged as a defect, in order. */
  readonly defects: unknown[]
  readonly close: () => Promise<void>
}

const PEOPLE = Array.from({ length: 120 }, (_, index) => ({
  id: index + 1,
  name: `Żółć ${index + 1}`,
  friends: [] as [],
}))

/** Starts the whole web side on a free port over the sample schema. */
export async function startGateway(
  options: {
    readonly limits?: Partial<GraphqlLimits>
    readonly streams?: Partial<StreamLimits>
    readonly introspection?: Partial<IntrospectionLimits>
    readonly consumeRateLimit?: ConsumeRateLimit
    readonly trusted?: TrustedDocuments
    readonly openQueries?: readonly string[]
    readonly hot?: HotHandler
    readonly createContext?: CreateContext
  } = {},
): Promise<RunningGateway> {
  const defects: unknown[] = []
  const onDefect = (thrown: unknown) => `error-${defects.push(thrown)}`
  const schema = await buildGraphqlSchema([new SampleResolver(PEOPLE)])
  const gateway = await createGraphqlGateway({
    schema,
    createContext: options.createContext ?? createSampleContext,
    onDefect,
    logger: silentLogger,
    permits: samplePermits(options.streams),
    introspection: { newTexts: endlessRate, keyless: endlessRate, ...options.introspection },
    consumeRateLimit: options.consumeRateLimit,
    openQueries: options.openQueries,
    trusted: options.trusted,
    limits: options.limits,
    bodyMemory: ampleMemory(),
    trustProxyHops: 0,
  })
  const server = createHttpServer({
    hot: options.hot ?? (() => false),
    web: createWebApp({ graphql: gateway.web, health: (_q, _r, next) => next(), openApi: {}, onDefect }),
    handleUpgrade: gateway.handleUpgrade,
    upgradePaths: ["/graphql"],
  })
  const port = await server.listen(0, "127.0.0.1")
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}/graphql`,
    defects,
    close: async () => {
      await gateway.close(1_000)
      await server.close(1_000)
    },
  }
}
