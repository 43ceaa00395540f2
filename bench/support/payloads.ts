import { PROJECT_KEY } from "./server.js"

let counter = 0

/** One event item of about 500 bytes, each with a distinct id of one of 1,000 visitors and no uuid of its own. */
const item = () => ({
  event: "$pageview",
  distinct_id: `visitor-${counter++ % 1000}`,
  timestamp: new Date().toISOString(),
  properties: {
    $current_url: "https://shop.example/pricing?campaign=autumn",
    $pathname: "/pricing",
    $browser: "Chrome",
    $browser_version: 142,
    $os: "Mac OS X",
    $device_type: "Desktop",
    $screen_height: 1080,
    $screen_width: 1920,
    $referrer: "https://search.example/",
    $referring_domain: "search.example",
    $lib: "web",
    $lib_version: "1.449.2",
    $session_id: "019a9c52-7d0b-7b1e-9a41-0a6f3f2c9d11",
    plan: "team",
    amount: 79.5,
  },
})

export const singleEventBody = (): string => JSON.stringify({ api_key: PROJECT_KEY, ...item() })

export const batchBody = (size: number): string =>
  JSON.stringify({ api_key: PROJECT_KEY, batch: Array.from({ length: size }, item) })

export const decideBody = (): string =>
  JSON.stringify({
    token: PROJECT_KEY,
    distinct_id: `visitor-${counter++ % 1000}`,
    person_properties: { plan: "team", email: "somebody@mail.example", age: 41 },
    geoip_disable: true,
  })
