import { createHash } from "node:crypto"
import { SeededRandom } from "./random.js"

export type Action =
  | { readonly kind: "capture"; readonly event: string; readonly properties: Record<string, unknown> }
  | { readonly kind: "sign-up"; readonly userId: string; readonly properties: Record<string, unknown> }
  | { readonly kind: "join-company"; readonly company: string; readonly properties: Record<string, unknown> }
  | { readonly kind: "ask-flag"; readonly flag: string }

/** One thing that one visitor did. */
export interface Moment {
  readonly at: Date
  /** Anonymous id before the sign-up, the user's id after it. */
  readonly distinctId: string
  /** Of the visit; what somebody does days later belongs to another one. */
  readonly sessionId: string
  readonly action: Action
}

export const CHECKOUT_FLAG = "new-checkout"
const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const PAGES = ["/", "/pricing", "/features", "/docs", "/blog/analytics-without-a-cluster", "/about"]
const BROWSERS = ["Chrome", "Chrome", "Chrome", "Safari", "Firefox", "Edge"]
const SOURCES = ["google", "newsletter", "github", null, null]
const COMPANIES = ["Övre Kaffe AB", "Blue Harbor", "Nimbus Labs", "Kita & Co", "Petrichor"]
const PLANS = [
  { plan: "starter", amount: 19 },
  { plan: "team", amount: 79 },
  { plan: "business", amount: 249 },
] as const

/**
 * A month of a small product: visitors look around, some sign up, some of those buy, companies form. Weekdays are busier
 * than weekends and the product grows a little every week. In time order per visitor; same seed, same month.
 */
export function monthOfTraffic(endsAt: Date, visitorsPerDay: number, seed = 20_261_121): Moment[] {
  const random = new SeededRandom(seed)
  const firstDay = Math.floor(endsAt.getTime() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS
  const moments: Moment[] = []
  for (let day = 0; day < DAYS; day++) {
    const midnight = firstDay + day * DAY_MS
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay())
    const visitors = Math.round(visitorsPerDay * (isWeekend ? 0.55 : 1) * (1 + day / 60))
    for (let visitor = 0; visitor < visitors; visitor++) {
      const arrival = midnight + random.between(6 * 60, 22 * 60) * 60_000
      moments.push(...visit(random, `d${day}-v${visitor}`, arrival, endsAt.getTime()))
    }
  }
  return moments
}

/** As browsers name a session: the time of its beginning, then digits of its own. */
function toSessionId(name: string, beganMs: number): string {
  const time = beganMs.toString(16).padStart(12, "0")
  const own = createHash("sha256").update(name).digest("hex")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${own.slice(0, 3)}-8${own.slice(3, 6)}-${own.slice(6, 18)}`
}

function visit(random: SeededRandom, name: string, arrival: number, endsAtMs: number): Moment[] {
  const moments: Moment[] = []
  const browser = random.pick(BROWSERS)
  const source = random.pick(SOURCES)
  let distinctId = `anonymous-${name}`
  let at = arrival
  let sessionId = toSessionId(name, at)
  const does = (action: Action, pauseMs: number): void => {
    at += pauseMs
    if (pauseMs >= DAY_MS) sessionId = toSessionId(name, at)
    if (at < endsAtMs) moments.push({ at: new Date(at), distinctId, sessionId, action })
  }
  const looksAt = (page: string): void =>
    does(
      {
        kind: "capture",
        event: "$pageview",
        properties: {
          $current_url: `https://shop.example${page}`,
          $browser: browser,
          ...(source && { utm_source: source }),
        },
      },
      random.between(4, 90) * 1000,
    )

  looksAt("/")
  for (let pages = random.between(0, 4); pages > 0; pages--) looksAt(random.pick(PAGES))
  if (!random.chance(0.34)) return moments

  const { plan, amount } = random.pick(PLANS)
  const userId = `user-${name}`
  does({ kind: "sign-up", userId, properties: { email: `${userId}@mail.example`, plan, browser } }, 20_000)
  distinctId = userId
  does({ kind: "capture", event: "signed up", properties: { plan, $browser: browser } }, 1_000)
  if (random.chance(0.3))
    does(
      { kind: "join-company", company: random.pick(COMPANIES), properties: { plan } },
      random.between(30, 300) * 1000,
    )
  does({ kind: "ask-flag", flag: CHECKOUT_FLAG }, 5_000)
  looksAt("/pricing")
  if (!random.chance(0.71)) return moments
  does({ kind: "capture", event: "checkout started", properties: { plan } }, random.between(10, 600) * 1000)
  if (!random.chance(0.62)) return moments
  does(
    { kind: "capture", event: "purchase", properties: { plan, amount, currency: "EUR" } },
    random.between(30, 900) * 1000,
  )
  for (let months = random.between(0, 3); months > 0; months--)
    does({ kind: "capture", event: "report viewed", properties: { plan } }, random.between(1, 5) * DAY_MS)
  return moments
}
