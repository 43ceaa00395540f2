import { ApolloServer, type ApolloServerPlugin, HeaderMap } from "@apollo/server"
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled"
import { type ExecutionResult, GraphQLError } from "graphql"
import { AppError, ERRORS } from "../../kernel/errors.js"
import { toStorableJson } from "../../kernel/json.js"
import type { RequestContext } from "../../kernel/request-context.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { OnDefect } from "../wire/public-fault.js"
import { checkCost, type OperationRules } from "./check-operation.js"
import type { Introspect } from "./introspection.js"
import { presentGraphqlError, toGraphqlError } from "./present-graphql-error.js"
import { createResultWriter } from "./result-writer.js"

export interface ApolloOptions {
  readonly rules: OperationRules
  readonly introspect: Introspect
  readonly onDefect: OnDefect
  readonly logger: Logger
}

/** A page elsewhere cannot send one of these without asking first. */
const HEADERS_OF_NO_PLAIN_LINK = ["authorization", "apollo-require-preflight", "x-apollo-operation-name"]

/**
 * Apollo Server for the HTTP side, started. It runs no signal handlers (the app owns shutdown), shows no stack traces,
 * takes no batches and refuses requests a browser could send across sites without asking first.
 */
export async function createApollo({
  rules,
  introspect,
  onDefect,
  logger,
}: ApolloOptions): Promise<ApolloServer<RequestContext>> {
  const apollo = new ApolloServer<RequestContext>({
    schema: rules.schema,
    stopOnTerminationSignals: false,
    introspection: true,
    csrfPrevention: { requestHeaders: HEADERS_OF_NO_PLAIN_LINK },
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    parseOptions: { maxTokens: rules.limits.maxTokens },
    plugins: [ApolloServerPluginLandingPageDisabled(), limitOperations(rules, introspect)],
    stringifyResult: createResultWriter(),
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

/**
 * Refuses subscriptions (sockets carry them) and expensive operations, shows every operation's cost, and answers questions
 * about the schema from memory.
 */
function limitOperations(rules: OperationRules, introspect: Introspect): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => {
      let requested: number | null = null
      let known: ExecutionResult | null = null
      return {
        didResolveOperation: async ({ operation, document, operationName, request, contextValue }) => {
          if (operation === undefined || document === undefined) return
          if (request.variables) request.variables = toStorableJson(request.variables)
          if (operation.operation === "subscription") throw subscriptionOverHttp()
          try {
            const variables = request.variables ?? {}
            requested = checkCost(rules, document, operation, variables)
            known = introspect({ document, operationName, variables, sender: contextValue.senderIp })
          } catch (thrown) {
            throw thrown instanceof AppError ? toGraphqlError(thrown, ERRORS[thrown.code].status) : thrown
          }
        },
        responseForOperation: async () =>
          known && { http: { headers: new HeaderMap() }, body: { kind: "single", singleResult: { ...known } } },
        willSendResponse: async ({ response }) => {
          if (requested === null || response.body.kind !== "single") return
          const { singleResult } = response.body
          singleResult.extensions = { ...singleResult.extensions, cost: { requested, limit: rules.limits.maxCost } }
        },
      }
    },
  }
}

const subscriptionOverHttp = (): GraphQLError =>
  new GraphQLError("Subscriptions are served here over WebSocket (graphql-transport-ws) and as text/event-stream.", {
    extensions: { code: "BAD_REQUEST", http: { status: 400 } },
  })
