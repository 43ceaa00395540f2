import { hash } from "node:crypto"
import { PostHog } from "posthog-node"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import type { CallerSketch } from "./flag-builders.js"

export interface LocalDecision {
  /** Values of the flags that the SDK could decide without asking a server. */
  readonly flags: Record<string, Json | undefined>
  /** Parsed payloads of those flags that have one. */
  readonly payloads: Record<string, Json | undefined>
}

/** A real SDK that is fed with our definitions and may ask nobody else. */
export class LocalSdk {
  readonly #client: PostHog

  private constructor(definitions: JsonObject) {
    this.#client = new PostHog("phc_TEST", {
      host: "http://127.0.0.1:9",
      personalApiKey: "phx_TEST",
      fetch: async () => new Response(JSON.stringify(definitions), { status: 200 }),
    })
  }

  static async with(definitions: JsonObject): Promise<LocalSdk> {
    const sdk = new LocalSdk(definitions)
    await sdk.#client.reloadFeatureFlags()
    return sdk
  }

  /** Decides all flags, or those named. */
  async decide(caller: CallerSketch, flagKeys?: string[]): Promise<LocalDecision> {
    const groups = Object.fromEntries(Object.entries(caller.groups ?? {}).map(([type, key]) => [type, String(key)]))
    const answer = await this.#client.getAllFlagsAndPayloads(caller.distinct_id ?? "user-1", {
      onlyEvaluateLocally: true,
      disableGeoip: true,
      flagKeys,
      groups,
      personProperties: caller.person_properties as Record<string, string>,
      groupProperties: caller.group_properties as Record<string, Record<string, string>>,
    })
    return {
      flags: (answer.featureFlags ?? {}) as LocalDecision["flags"],
      payloads: (answer.featureFlagPayloads ?? {}) as LocalDecision["payloads"],
    }
  }

  close(): Promise<void> {
    return this.#client.shutdown()
  }
}

/**
 * Answers WebCrypto's SHA-1 from node's synchronous one until the returned function is called. The SDK hashes through
 * WebCrypto, whose trip through another thread costs a minute over a million hashes; the digests are the same.
 */
export function hashWithoutThreads(): () => void {
  Object.defineProperty(crypto.subtle, "digest", {
    configurable: true,
    value: async (algorithm: string, bytes: Uint8Array) => {
      if (algorithm !== "SHA-1") throw new Error(`${algorithm} is not answered here`)
      return new Uint8Array(hash("sha1", bytes, "buffer")).buffer
    },
  })
  return () => {
    Reflect.deleteProperty(crypto.subtle, "digest")
  }
}
