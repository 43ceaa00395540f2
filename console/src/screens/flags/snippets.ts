import type { Snippet } from "../../ui/snippet-tabs"

/** A flag as code asks for it. */
export interface AskedFlag {
  readonly key: string
  /** A variant that it may be; null for a flag that is on or off. */
  readonly variant: string | null
  readonly hasPayload: boolean
}

/** A snippet for each kind of application, with the project's key and this server's address filled in. */
export function writeFlagSnippets({ key, variant, hasPayload }: AskedFlag, token: string, host: string): Snippet[] {
  const quoted = JSON.stringify(key)
  const isIt = (value: string) => (variant === null ? value : `${value} === ${JSON.stringify(variant)}`)
  const ask = variant === null ? "isFeatureEnabled" : "getFeatureFlag"
  const askPython = variant === null ? "feature_enabled" : "get_feature_flag"
  const payload = (line: string) => (hasPayload ? `\n${line}` : "")
  return [
    {
      title: "Browser",
      code: `posthog.onFeatureFlags(() => {
  if (${isIt(`posthog.${ask}(${quoted})`)}) {
    // what the flag is for
  }${payload(`  const payload = posthog.getFeatureFlagPayload(${quoted})`)}
})`,
    },
    {
      title: "Node",
      code: `const client = new PostHog("${token}", { host: "${host}" })
if (${isIt(`(await client.${ask}(${quoted}, "ada"))`)}) {
  // what the flag is for
}${payload(`const payload = await client.getFeatureFlagPayload(${quoted}, "ada")`)}`,
    },
    {
      title: "Python",
      code: `client = Posthog("${token}", host="${host}")
if client.${askPython}(${quoted}, "ada")${variant === null ? "" : ` == ${JSON.stringify(variant)}`}:
    pass  # what the flag is for${payload(`payload = client.get_feature_flag_payload(${quoted}, "ada")`)}`,
    },
    {
      title: "HTTP",
      code: `curl "${host}/flags/?v=2" -H "content-type: application/json" -d '{
  "token": "${token}",
  "distinct_id": "ada",
  "flag_keys": [${quoted}]
}'`,
    },
  ]
}
