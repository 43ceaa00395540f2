import type { ProjectId } from "../kernel/ids.js"
import { type Permit, Permits } from "../platform/limits/permits.js"
import type { Caller } from "./wire/caller.js"
import { readSenderIp } from "./wire/client-ip.js"

/** How many streams there may be at a time. */
export interface StreamLimits {
  readonly total: number
  readonly perAddress: number
  readonly perProject: number
}

/** What every WebSocket and every answer of server-sent events takes before it begins, and gives back when it ends. */
export interface StreamPermits {
  /** For the connection. @throws AppError rate_limited, overloaded. */
  takeFor(request: Caller["request"]): Permit
  /** Connections that hold a permit now. */
  readonly open: number
  /** For what is followed on it; a WebSocket may follow several things. @throws AppError rate_limited, overloaded. */
  takeForProject(projectId: ProjectId): Permit
}

/**
 * Takes a permit of each project for what is made of a source. Returns how to leave it: the source ends and the permits
 * are given back.
 * @throws AppError when a project has none left; the source is made to end then.
 */
export async function holdUntilLeft(
  source: AsyncIterator<unknown>,
  projectIds: Iterable<ProjectId>,
  permits: Pick<StreamPermits, "takeForProject">,
): Promise<() => Promise<unknown>> {
  const held: Permit[] = []
  const leave = async (): Promise<unknown> => {
    for (const giveBack of held) giveBack()
    return source.return?.()
  }
  try {
    for (const projectId of projectIds) held.push(permits.takeForProject(projectId))
  } catch (refusal) {
    await leave()
    throw refusal
  }
  return leave
}

/**
 * Makes the permits of all streams of this process (`docs/contract/faults.md#connections`).
 * @param trustProxyHops number of proxies in front whose `X-Forwarded-For` is believed.
 * @param onRefused called for every stream that gets none.
 */
export function createStreamPermits(
  { total, perAddress, perProject }: StreamLimits,
  trustProxyHops: number,
  onRefused: () => void,
): StreamPermits {
  const shared = { what: "streams", total, onRefused }
  const ofAddresses = new Permits({ ...shared, holder: "client address", perHolder: perAddress })
  const ofProjects = new Permits({ ...shared, holder: "project", perHolder: perProject })
  return {
    get open() {
      return ofAddresses.taken
    },
    takeFor: (request) => ofAddresses.take(readSenderIp(request, trustProxyHops)),
    takeForProject: (projectId) => ofProjects.take(projectId),
  }
}
