import { PostHog } from "posthog-node"
import { drawProgress } from "./draw.js"
import type { Moment } from "./traffic.js"

/** Sends every moment through the real SDK, in order, and waits until all of it is acknowledged. */
export async function sendTraffic(moments: readonly Moment[], serverUrl: string, projectKey: string): Promise<void> {
  const client = new PostHog(projectKey, { host: serverUrl, flushAt: 100, maxBatchSize: 100, maxQueueSize: 50_000 })
  const failures: unknown[] = []
  client.on("error", (failure: unknown) => failures.push(failure))
  const FLUSH_EVERY = 500
  for (const [index, moment] of moments.entries()) {
    await send(client, moment)
    if (index % FLUSH_EVERY === FLUSH_EVERY - 1) {
      await client.flush()
      drawProgress("sending", index + 1, moments.length)
    }
  }
  await client.shutdown(60_000)
  drawProgress("sending", moments.length, moments.length)
  if (failures.length > 0) throw new Error(`the SDK reported ${failures.length} failures`, { cause: failures[0] })
}

async function send(client: PostHog, { at, distinctId, sessionId, action }: Moment): Promise<void> {
  const session = { $session_id: sessionId }
  switch (action.kind) {
    case "capture":
      client.capture({
        distinctId,
        event: action.event,
        properties: { ...session, ...action.properties },
        timestamp: at,
      })
      return
    case "sign-up":
      // The anonymous visitor and the new user become one person.
      client.capture({
        distinctId: action.userId,
        event: "$identify",
        properties: { ...session, $anon_distinct_id: distinctId, $set: action.properties },
        timestamp: at,
      })
      return
    case "join-company":
      client.groupIdentify({ groupType: "company", groupKey: action.company, properties: { name: action.company } })
      client.capture({
        distinctId,
        event: "company joined",
        properties: { ...session, ...action.properties },
        groups: { company: action.company },
        timestamp: at,
      })
      return
    case "ask-flag": {
      const answer = (await client.getAllFlags(distinctId, { flagKeys: [action.flag] }))[action.flag]
      client.capture({
        distinctId,
        event: "$feature_flag_called",
        properties: {
          ...session,
          $feature_flag: action.flag,
          $feature_flag_response: answer,
          [`$feature/${action.flag}`]: answer,
        },
        timestamp: at,
      })
    }
  }
}
