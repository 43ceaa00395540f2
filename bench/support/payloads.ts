import { createRandom } from "../faults/support/options.js"
import { PROJECT_KEY } from "./server.js"

const VISITORS = 1_000
const PAGES = ["pricing", "docs/getting-started", "product/analytics", "blog", "checkout", "account/settings"] as const
const BROWSERS = [
  ["Chrome", 142],
  ["Chrome", 141],
  ["Safari", 18],
  ["Firefox", 145],
] as const
const SYSTEMS = ["Mac OS X", "Windows", "Linux", "iOS", "Android"] as const
const CAMPAIGNS = ["autumn", "spring", "partner", "none"] as const
const PLANS = ["free", "team", "scale"] as const

const random = createRandom(7)
const below = (limit: number): number => Math.floor(random() * limit)
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
const hexadecimal = (digits: number): string => Array.from({ length: digits }, () => below(16).toString(16)).join("")

let counter = 0

/**
 * One event item of about 500 bytes, of one of 1,000 visitors and without a uuid of its own. Values differ as they do in real
 * traffic, because the log compresses what it keeps.
 */
const item = () => {
  const [browser, version] = oneOf(BROWSERS)
  const page = oneOf(PAGES)
  return {
    event: "$pageview",
    distinct_id: `visitor-${counter++ % VISITORS}`,
    timestamp: new Date().toISOString(),
    properties: {
      $current_url: `https://shop.example/${page}?campaign=${oneOf(CAMPAIGNS)}&click=${hexadecimal(8)}`,
      $pathname: `/${page}`,
      $browser: browser,
      $browser_version: version,
      $os: oneOf(SYSTEMS),
      $device_type: "Desktop",
      $screen_height: 700 + below(900),
      $screen_width: 1_200 + below(2_000),
      $referrer: "https://search.example/",
      $referring_domain: "search.example",
      $lib: "web",
      $lib_version: "1.449.2",
      $session_id: `019a9c52-7d0b-7b1e-${hexadecimal(4)}-${hexadecimal(12)}`,
      plan: oneOf(PLANS),
      amount: below(10_000) / 100,
    },
  }
}

/** A capture request with one event. */
export const singleEventBody = (): string => JSON.stringify({ api_key: PROJECT_KEY, ...item() })

/** A capture request with `size` events. */
export const batchBody = (size: number): string =>
  JSON.stringify({ api_key: PROJECT_KEY, batch: Array.from({ length: size }, item) })

/** A decision request of one of the visitors. */
export const decideBody = (): string =>
  JSON.stringify({
    token: PROJECT_KEY,
    distinct_id: `visitor-${counter++ % VISITORS}`,
    person_properties: { plan: "team", email: "somebody@mail.example", age: 41 },
    geoip_disable: true,
  })
