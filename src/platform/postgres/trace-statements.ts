import { AsyncLocalStorage } from "node:async_hooks"
import { Client, Pool, type PoolConfig } from "pg"
import { currentTrace, inSpan, isTracing, type SpanStart } from "../../kernel/trace.js"

type Ask = (...given: unknown[]) => unknown
type Answer = (fault: unknown, result: unknown) => void

/** pg has a dozen forms of `query`; they differ in what stands in front of the callback, if there is one. */
const ask: Ask = Reflect.get(Client.prototype, "query")

/** A connection whose statements are spans while somebody traces the work that they are part of. */
class TracedClient extends Client {
  static {
    const traced: Ask = function (this: Client, ...given) {
      const start = currentTrace() === null ? null : describe(given[0])
      return start === null ? Reflect.apply(ask, this, given) : askInSpan(this, start, given)
    }
    Object.defineProperty(TracedClient.prototype, "query", { value: traced })
  }
}

/** A pool that calls back within the work that asked for a connection, not within that which gave one back. */
class TracedPool extends Pool {
  static {
    const connect: Ask = Reflect.get(Pool.prototype, "connect")
    const bound = function (this: Pool, callback?: Ask) {
      return Reflect.apply(connect, this, callback === undefined ? [] : [AsyncLocalStorage.bind(callback)])
    }
    Object.defineProperty(TracedPool.prototype, "connect", { value: bound })
  }
}

/** Makes a pool whose statements are spans, where spans are made at all. */
export const createPool = (settings: PoolConfig): Pool =>
  isTracing() ? new TracedPool(toTraced(settings)) : new Pool(settings)

/** Settings by which a pool, whoever makes it, opens connections whose statements are spans; the same where none are made. */
export const toTraced = <Settings extends PoolConfig>(settings: Settings): Settings =>
  isTracing() ? { ...settings, Client: TracedClient } : settings

function askInSpan(client: Client, start: SpanStart, given: readonly unknown[]): unknown {
  const answer = given.at(-1)
  if (typeof answer !== "function") return inSpan(start, () => Reflect.apply(ask, client, given))
  return void inSpan(
    start,
    (span) =>
      new Promise<void>((resolve) => {
        const onAnswer: Answer = (fault, result) => {
          if (fault) span.fail(fault)
          resolve()
          answer(fault, result)
        }
        Reflect.apply(ask, client, [...given.slice(0, -1), onAnswer])
      }),
  )
}

/** Only the first word of a statement: the rest may hold values. Null for what is no text, such as a COPY. */
function describe(statement: unknown): SpanStart | null {
  const isConfig = typeof statement === "object" && statement !== null && "text" in statement
  const text = isConfig ? statement.text : statement
  if (typeof text !== "string") return null
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? ""
  return {
    name: `PostgreSQL ${operation}`,
    kind: "client",
    attributes: { "db.system.name": "postgresql", "db.operation.name": operation },
  }
}
