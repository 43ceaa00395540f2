import { ApolloServer, type ApolloServerPlugin, type HeaderMap } from "@apollo/server"
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled"
import { GraphQLError } from "graphql"
import { CONSOLE_HEADER } from "../../kernel/browser-session.js"
import { AppError, ERRORS } from "../../kernel/errors.js"
import { toStorableJson } from "../../kernel/json.js"
import type { RequestContext } from "../../kernel/request-context.js"
import type { Logger } from "../../platform/logger/logger.js"
import { toEntityTag } from "../wire/entity-tag.js"
import type { OnDefect } from "../wire/public-fault.js"
import { type CostExtensions, checkCost, type OperationRules } from "./check-operation.js"
import { describeUse } from "./operation-extensions.js"
import { presentGraphqlError, toGraphqlError } from "./present-graphql-error.js"

export interface ApolloOptions {
  readonly rules: OperationRules
  readonly onDefect: OnDefect
  readonly logger: Logger
}

/** A page elsewhere cannot send one of these without asking first. */
const HEADERS_OF_NO_PLAIN_LINK = [
  "authorization",
  CONSOLE_HEADER,
  "apollo-require-preflight",
  "x-apollo-operation-name",
]

/**
 * Apollo Server for the HTTP side, started. It runs no signal handlers (the app owns shutdown), shows no stack traces,
 * takes no batches and refuses requests a browser could send across sites without asking first.
 */
export async function createApollo({ rules, onDefect, logger }: ApolloOptions): Promise<ApolloServer<RequestContext>> {
  const apollo = new ApolloServer<RequestContext>({
    schema: rules.schema,
    stopOnTerminationSignals: false,
    introspection: true,
    csrfPrevention: { requestHeaders: HEADERS_OF_NO_PLAIN_LINK },
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    parseOptions: { maxTokens: rules.limits.maxTokens },
    plugins: [ApolloServerPluginLandingPageDisabled(), limitOperations(rules)],
    formatError: (formatted, error) =>
      presentGraphqlError(
        error instanceof GraphQLError ? error : new GraphQLError(formatted.message, { originalError: error as Error }),
        formatted.extensions?.code,
        onDefect,
      ),
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message: string) => logger.warn("Apollo warns", { message }),
      error: (message: string) => logger.error("Apollo reports an error", { message }),
    },
  })
  await apollo.start()
  return apollo
}

/** Refuses subscriptions (sockets carry them) and expensive operations, and shows every operation's cost. */
function limitOperations(rules: OperationRules): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async ({ contextValue }) => {
      let extensions: CostExtensions | null = null
      const startedAtMs = performance.now()
      return {
        didResolveOperation: async ({ operation, document, request }) => {
          if (operation === undefined || document === undefined) return
          if (request.variables) request.variables = toStorableJson(request.variables)
          if (operation.operation === "subscription") throw subscriptionOverHttp()
          try {
            extensions = checkCost(rules, document, operation, request.variables ?? {})
          } catch (thrown) {
            throw thrown instanceof AppError ? toGraphqlError(thrown, ERRORS[thrown.code].status) : thrown
          }
        },
        willSendResponse: async ({ request, response, document, operationName }) => {
          if (extensions === null || document === undefined || response.body.kind !== "single") return
          const { singleResult } = response.body
          const hasErrors = singleResult.errors !== undefined
          const durationMs = performance.now() - startedAtMs
          rules.count({ document, operationName, transport: "http", hasErrors, durationMs })
          const isRead = request.http?.method === "GET" && !hasErrors
          if (isRead) tagResult(response.http.headers, singleResult.data)
          singleResult.extensions = { ...singleResult.extensions, ...describeUse(extensions, contextValue) }
        },
      }
    },
  }
}

/** The tag is that of the data alone: what is left of a rate limit is another each time. */
function tagResult(headers: HeaderMap, data: unknown): void {
  headers.set("etag", toEntityTag(JSON.stringify(data)))
  headers.set("cache-control", "private, no-cache")
  headers.set("vary", `Authorization, Cookie, ${CONSOLE_HEADER}`)
}

const subscriptionOverHttp = (): GraphQLError =>
  new GraphQLError("Subscriptions are served here over WebSocket (graphql-transport-ws) and as text/event-stream.", {
    extensions: { code: "BAD_REQUEST", http: { status: 400 } },
  })
