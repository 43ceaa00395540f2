import type { Outcome } from "../within-budget.js"
import type { Caller, FactSources } from "./fact-sources.types.js"

/**
 * Hash keys of a caller for flags with experience continuity (`docs/contract/flags.md#experience-continuity`). When the
 * request names an anonymous id, flags without a stored hash key get one for both ids, before the answer: the client
 * forgets the anonymous id once it has been answered.
 */
export async function readHashKeys(
  { hashKeys, reader }: FactSources,
  { projectId, distinctId, request }: Caller,
  continuityFlagKeys: readonly string[],
): Promise<Outcome<ReadonlyMap<string, string>>> {
  const anonymousId = request.anonymousDistinctId
  const outcome = await reader.read(async () => {
    if (anonymousId === null) return hashKeys.read(projectId, [distinctId])
    const ids = [distinctId, anonymousId]
    const stored = await hashKeys.read(projectId, ids)
    const wanted = new Map(continuityFlagKeys.map((key) => [key, stored.get(key) ?? anonymousId]))
    if (continuityFlagKeys.every((key) => stored.has(key))) return stored
    await hashKeys.write(projectId, ids, wanted)
    return hashKeys.read(projectId, ids)
  })
  return outcome.ok ? outcome : { ok: false, error: "hash_key_override_error" }
}
