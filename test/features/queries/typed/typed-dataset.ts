import type { CaseDataset } from "../../../hogql/support/dataset.js"

const ANN = "0190d000-0000-7000-8000-0000000000a1"
const BOB = "0190d000-0000-7000-8000-0000000000b0"
const SESSION = "018e0a00-0000-7000-8000-000000000001"

const event = (name: string, distinctId: string, timestamp: string, properties: Record<string, unknown> = {}) => ({
  event: name,
  distinct_id: distinctId,
  timestamp,
  properties,
})

/** Two persons over three days of March 2024: few enough to count by hand. */
export const TYPED_DATASET: CaseDataset = {
  team: { id: 1, timezone: "UTC" },
  property_definitions: [],
  persons: [
    {
      uuid: ANN,
      created_at: "2024-03-04T08:00:00Z",
      properties: { email: "ann@größe.test", plan: "pro" },
      distinct_ids: ["ann"],
      is_identified: true,
    },
    {
      uuid: BOB,
      created_at: "2024-03-04T09:00:00Z",
      properties: { email: "bob@b.test" },
      distinct_ids: ["bob"],
      is_identified: true,
    },
  ],
  groups: [{ group_type_index: 0, group_key: "acme", group_properties: { name: "Acme & Söhne" } }],
  group_type_mapping: [{ group_type: "company", group_type_index: 0 }],
  cohorts: [],
  session_replay_blocks: [],
  events: [
    event("$pageview", "ann", "2024-03-04T08:00:00Z", {
      $current_url: "/pricing",
      $pathname: "/pricing",
      $session_id: SESSION,
      $browser: "Firefox",
    }),
    event("$pageview", "ann", "2024-03-04T08:01:00Z", {
      $current_url: "/signup",
      $pathname: "/signup",
      $session_id: SESSION,
      $browser: "Firefox",
    }),
    event("signed up", "ann", "2024-03-04T08:02:00Z", { price: 12.5, $browser: "Firefox" }),
    event("$pageview", "bob", "2024-03-04T09:00:00Z", {
      $current_url: "/pricing",
      $pathname: "/pricing",
      $browser: "Chrome",
    }),
    event("$pageview", "ann", "2024-03-05T08:00:00Z", { $current_url: "/pricing", $pathname: "/pricing" }),
    event("$pageview", "ann", "2024-03-06T08:00:00Z", {
      $current_url: "/pricing",
      $pathname: "/pricing",
      $browser: "Chrome",
    }),
  ],
  other_team: { id: 2, events: [event("$pageview", "stranger", "2024-03-05T08:00:00Z", { $browser: "Theirs" })] },
}

/** Dates that hold all of it. */
export const DATES = { from: "2024-03-04", to: "2024-03-06" }
