import type { ServerResponse } from "node:http"
import DataLoader from "dataloader"
import type { AccessFeature } from "../features/access/index.js"
import type { LoaderFactory, RequestContext } from "../kernel/request-context.js"
import type { Ids } from "../platform/ids/ids.js"
import type { RateBudget } from "../platform/limits/rate-budget.js"
import type { CreateContext } from "../transport/wire/caller.js"
import { readClientIp, readSenderIp } from "../transport/wire/client-ip.js"
import type { Features } from "./create-features.js"

export interface ContextDependencies {
  readonly access: Pick<AccessFeature, "authenticate" | "projectAccess">
  readonly signIn: Pick<Features["signIn"], "authenticate">
  readonly resolvers: readonly object[]
  readonly ids: Pick<Ids, "uuidV4">
  /** Address that clients see; asked for with every request, as the port is known only once the server listens. */
  readonly baseUrl: () => string
  readonly trustProxyHops: number
  /** Keys that turn out to be wrong, by the address that they come from. */
  readonly wrongKeys: RateBudget
}

/** Makes what one request carries: who calls, its loaders, and the door to projects. */
export function createContextFactory(dependencies: ContextDependencies): CreateContext {
  const { access, signIn, ids, baseUrl, trustProxyHops, wrongKeys } = dependencies
  const instances = new Map<unknown, object>(dependencies.resolvers.map((resolver) => [resolver.constructor, resolver]))
  return async (caller) => {
    const senderIp = readSenderIp(caller.request, trustProxyHops)
    const lookUps = {
      admit: () => wrongKeys.requireLeft(senderIp),
      noteWrong: () => wrongKeys.take(senderIp),
    }
    const byKey = await access.authenticate(caller, lookUps)
    // A key that was sent on purpose comes before a cookie that the browser adds by itself.
    const isByCookie = byKey.authenticationFault === "absent" && caller.session !== undefined
    const authentication = isByCookie ? await signIn.authenticate(caller.session, lookUps) : byKey
    return {
      requestId: ids.uuidV4(),
      clientIp: readClientIp(caller.request, trustProxyHops),
      senderIp,
      baseUrl: baseUrl(),
      ...authentication,
      ...(caller.response && { onAnswered: untilAnswered(caller.response) }),
      loader: createLoaders(),
      findResolver: <T>(resolverClass: new (...dependencies: never[]) => T) => instances.get(resolverClass) as T,
      access: access.projectAccess,
    }
  }
}

const untilAnswered = (response: ServerResponse) => (release: () => void) => {
  if (response.closed) release()
  else response.once("close", release)
}

function createLoaders(): RequestContext["loader"] {
  const loaders = new Map<unknown, unknown>()
  return <Key, Value>(factory: LoaderFactory<Key, Value>) => {
    const known = loaders.get(factory)
    if (known instanceof DataLoader) return known as DataLoader<Key, Value>
    const loader = factory()
    loaders.set(factory, loader)
    return loader
  }
}
