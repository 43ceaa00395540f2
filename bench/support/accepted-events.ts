import { v7 } from "uuid"
import type { AcceptedEvent } from "../../src/features/capture/index.js"
import { createRandom } from "../faults/support/options.js"

const USERS = 5_000
const PAGES = 200
const NAMES = ["$pageview", "$autocapture", "signed_up", "purchase", "$pageleave"] as const
const HOUR_MS = 3_600_000

const random = createRandom(42)
const below = (limit: number): number => Math.floor(random() * limit)

/** Events of browsers as capture hands them on, about a kilobyte each: 5,000 users, a third of them without a profile. */
export const acceptedEvents = (count: number): AcceptedEvent[] => Array.from({ length: count }, acceptedEvent)

function acceptedEvent(): AcceptedEvent {
  const user = below(USERS)
  const path = `/page/${below(PAGES)}/some-longer-path`
  const userDigits = String(user).padStart(12, "0")
  return {
    uuid: v7(),
    event: NAMES[below(NAMES.length)] ?? "$pageview",
    distinctId: `user-${user}`,
    timestamp: new Date(Date.now() - below(HOUR_MS)).toISOString(),
    clientTimestamp: null,
    properties: {
      token: "phc_bench0000000000000000000000",
      distinct_id: `user-${user}`,
      $os: "Mac OS X",
      $os_version: "10.15.7",
      $browser: "Chrome",
      $browser_version: 142,
      $device_type: "Desktop",
      $current_url: `https://shop.example${path}?a=1`,
      $host: "shop.example",
      $pathname: path,
      $screen_height: 700 + below(900),
      $screen_width: 1_200 + below(2_000),
      $viewport_height: 900,
      $viewport_width: 1600,
      $lib: "web",
      $lib_version: "1.449.2",
      $insert_id: random().toString(36).slice(2),
      $time: 1735689600 + below(HOUR_MS) / 1000,
      $device_id: `0198f7c0-0000-7000-8000-${userDigits}`,
      $session_id: `0198f7c0-0000-7000-9000-${userDigits}`,
      $window_id: "0198f7c0-0000-7000-9000-000000000001",
      $referrer: "https://search.example/",
      $referring_domain: "search.example",
      $raw_user_agent:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
      plan: "pro",
      amount: below(100),
      ...(user % 3 === 0 ? { $process_person_profile: false } : {}),
    },
  }
}
