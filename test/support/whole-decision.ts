import type { Json, JsonObject } from "../../src/kernel/json.js"
import { waitFor } from "./wait-for.js"
import type { WaymarkApi } from "./waymark-api.js"

/** What all versions of `/decide` answer. */
interface Decision {
  readonly errorsWhileComputingFlags: boolean
}

/**
 * The body of a decision that had every fact it needed. One whose store was slower than its budget says so by design, which
 * happens on a busy machine: it is asked for again.
 * @throws Error when the request is refused, or when no decision is whole in the time of `waitFor`.
 */
export async function wholeDecision<Body extends object = { readonly featureFlags: Record<string, Json> }>(
  api: Pick<WaymarkApi, "post">,
  asked: JsonObject,
  path = "/decide?v=3",
): Promise<Body> {
  const { status, body } = await waitFor("a decision with every fact", async () => {
    const answer = await api.post<Body & Decision>(path, asked)
    return (answer.status !== 200 || answer.body.errorsWhileComputingFlags === false) && answer
  })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}
