import { YieldBudget, yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import type { ProjectVisit, VisitorIdentity, VisitorStore } from "./cookieless.types.js"
import { keyOfVisit, type SaltedVisit, toSaltedVisit, VisitorBook } from "./process/visitor-book.js"

/** Hashing for some milliseconds; a part of a batch may have ten thousand visits, and requests are answered in between. */
const VISITS_PER_YIELD = 500

/**
 * Says of visits without cookies, in the order of the log, who they are, and keeps what the next ones depend on.
 * @returns one identity for each visit.
 */
export async function identifyVisitors(
  store: VisitorStore,
  visits: readonly ProjectVisit[],
): Promise<readonly VisitorIdentity[]> {
  const salts = await store.saltsOf([...new Set(visits.map(({ day }) => day))])
  const budget = new YieldBudget(VISITS_PER_YIELD)
  const salted: SaltedVisit[] = []
  for (const visit of visits) {
    salted.push(toSaltedVisit(visit, salts))
    if (budget.spend(1)) await yieldToEventLoop()
  }
  const stateful = salted.filter(({ visit }) => !visit.isStateless)
  const book = new VisitorBook(stateful.length === 0 ? [] : await store.load(stateful.map(keyOfVisit)))
  const identities: VisitorIdentity[] = []
  for (const visit of salted) {
    identities.push(book.identify(visit))
    if (budget.spend(1)) await yieldToEventLoop()
  }
  const changes = book.changes()
  if (changes.length > 0) await store.save(changes)
  return identities
}
