import type { IncomingMessage } from "node:http"
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from "graphql"
import { type Context, makeServer, type Server } from "graphql-ws"
import type { WebSocket } from "ws"
import { AppError, ERRORS } from "../../kernel/errors.js"
import type { RequestContext } from "../../kernel/request-context.js"
import type { Caller, CreateContext } from "../caller.js"
import type { TakeTurn } from "../rate-limit.js"
import { checkSocketOperation, type OperationRules } from "./check-operation.js"
import { type OnDefect, presentGraphqlError, toGraphqlError } from "./present-graphql-error.js"
import { subscribe, toFailure } from "./subscribe.js"

export interface SocketRules extends OperationRules {
  readonly createContext: CreateContext
  readonly takeTurn: TakeTurn
  readonly onDefect: OnDefect
}

/** What is kept beside each socket. `freshContext` authenticates anew each time it is called. */
export interface SocketCall {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  freshContext: () => Promise<RequestContext>
}

type SocketContext = Context<Record<string, unknown>, SocketCall>

/**
 * The `graphql-transport-ws` protocol on top of our own checks, contexts and error presenter. A key that is not valid
 * closes with 4403; no key at all is let in, and each resolver says what it needs.
 */
export function createSocketProtocol(rules: SocketRules): Server<SocketCall> {
  const present = (errors: readonly GraphQLError[]) =>
    errors.map((error) => presentGraphqlError(error, error.extensions.code ?? codeOf(error), rules.onDefect))
  return makeServer<Record<string, unknown>, SocketCall>({
    connectionInitWaitTimeout: rules.limits.connectionInitTimeoutMs,
    onConnect: async (context) => {
      context.extra.freshContext = () => rules.createContext(callerOf(context))
      return (await context.extra.freshContext()).authenticationFault !== "invalid"
    },
    onSubscribe: (context, _id, payload) => {
      if (Object.keys(context.subscriptions).length > rules.limits.maxSubscriptionsPerSocket) return [tooMany(rules)]
      const checked = checkSocketOperation(rules, payload)
      return "document" in checked ? { ...checked, contextValue: context.extra } : checked
    },
    execute: (args) =>
      asResult(async () => {
        const { context } = await rules.takeTurn(await callOf(args).freshContext())
        return execute({ ...args, contextValue: context })
      }),
    subscribe: (args) =>
      asResult(() =>
        subscribe({
          schema: args.schema,
          document: args.document,
          operationName: args.operationName,
          variables: args.variableValues ?? {},
          freshContext: () => callOf(args).freshContext(),
        }),
      ),
    onNext: (_context, _id, _payload, _args, result) =>
      result.errors === undefined ? undefined : { ...result, errors: present(result.errors) },
    onError: (_context, _id, _payload, errors) => present(errors),
  })
}

const callOf = (args: ExecutionArgs): SocketCall => args.contextValue as SocketCall

function callerOf(context: SocketContext): Caller {
  const { request } = context.extra
  const given = context.connectionParams?.Authorization ?? context.connectionParams?.authorization
  return { authorization: typeof given === "string" ? given : request.headers.authorization, request }
}

const tooMany = ({ limits }: SocketRules): GraphQLError =>
  toGraphqlError(
    new AppError("rate_limited", {
      detail: `One socket carries at most ${limits.maxSubscriptionsPerSocket} operations at a time.`,
    }),
    ERRORS.rate_limited.status,
  )

/** Errors of wrong variables carry no code and no path; whatever a resolver threw has a path. */
const codeOf = (error: GraphQLError): string => (error.path === undefined ? "BAD_USER_INPUT" : "INTERNAL")

/** A failing context (a store that is down) is an error of the operation, not of the socket. */
async function asResult<T>(work: () => Promise<T>): Promise<T | ExecutionResult> {
  try {
    return await work()
  } catch (thrown) {
    return toFailure(thrown)
  }
}
