import type { Snippet } from "../../ui/snippet-tabs"

/** A snippet for each way in, with the project's key and this server's address filled in. */
export const writeSnippets = (key: string, host: string): readonly Snippet[] => [
  {
    title: "Browser",
    install: "npm install posthog-js",
    code: `import posthog from "posthog-js"

posthog.init("${key}", { api_host: "${host}" })
posthog.capture("signed up", { plan: "team" })`,
  },
  {
    title: "Node",
    install: "npm install posthog-node",
    code: `import { PostHog } from "posthog-node"

const client = new PostHog("${key}", { host: "${host}" })
client.capture({ distinctId: "ada", event: "signed up", properties: { plan: "team" } })
await client.shutdown()`,
  },
  {
    title: "Python",
    install: "pip install posthog",
    code: `from posthog import Posthog

client = Posthog("${key}", host="${host}")
client.capture("signed up", distinct_id="ada", properties={"plan": "team"})
client.shutdown()`,
  },
  {
    title: "HTTP",
    code: `curl "${host}/i/v0/e/" -H "content-type: application/json" -d '{
  "api_key": "${key}",
  "event": "signed up",
  "distinct_id": "ada",
  "properties": {"plan": "team"}
}'`,
  },
]
