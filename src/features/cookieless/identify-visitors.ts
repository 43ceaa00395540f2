import { YieldBudget, yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"
import type { ProjectVisit, VisitorIdentity, VisitorStore } from "./cookieless.types.js"
import { type SaltedVisit, toSaltedVisit, toVisitorKey, VisitorRegistry } from "./process/visitor-registry.js"

/** Hashing for some milliseconds; a sub-batch may have ten thousand visits, and requests are answered in between. */
const VISITS_PER_YIELD = 500

/**
 * Identifies the visitors of visits without cookies, in the order of the log, and saves what the next ones depend on.
 * @returns one identity for each visit.
 */
export async function identifyVisitors(
  store: VisitorStore,
  visits: readonly ProjectVisit[],
): Promise<readonly VisitorIdentity[]> {
  const salts = await store.findSalts([...new Set(visits.map(({ day }) => day))])
  const budget = new YieldBudget(VISITS_PER_YIELD)
  const salted: SaltedVisit[] = []
  for (const visit of visits) {
    salted.push(toSaltedVisit(visit, salts))
    if (budget.spend(1)) await yieldToEventLoop()
  }
  const stateful = salted.filter(({ visit }) => !visit.isStateless)
  const registry = new VisitorRegistry(stateful.length === 0 ? [] : await store.load(stateful.map(toVisitorKey)))
  const identities: VisitorIdentity[] = []
  for (const visit of salted) {
    identities.push(registry.identify(visit))
    if (budget.spend(1)) await yieldToEventLoop()
  }
  const changes = registry.changes()
  if (changes.length > 0) await store.save(changes)
  return identities
}
