import { Turns } from "../../kernel/turns.js"
import type { ProjectVisit, VisitorIdentity, VisitorStore } from "./cookieless.types.js"
import { keyOfVisit, type SaltedVisit, toSaltedVisit, VisitorBook } from "./process/visitor-book.js"

/** Hashing for some milliseconds; a part of a slice may have ten thousand visits, and requests are answered in between. */
const VISITS_PER_TURN = 500

/**
 * Says of visits without cookies, in the order of the log, who they are, and keeps what the next ones depend on.
 * @returns one identity for each visit.
 */
export async function identifyVisitors(
  store: VisitorStore,
  visits: readonly ProjectVisit[],
): Promise<readonly VisitorIdentity[]> {
  const salts = await store.saltsOf([...new Set(visits.map(({ day }) => day))])
  const turns = new Turns(VISITS_PER_TURN)
  const salted: SaltedVisit[] = []
  for (const visit of visits) {
    salted.push(toSaltedVisit(visit, salts))
    if (turns.isOver(1)) await turns.next()
  }
  const stateful = salted.filter(({ visit }) => !visit.isStateless)
  const book = new VisitorBook(stateful.length === 0 ? [] : await store.load(stateful.map(keyOfVisit)))
  const identities: VisitorIdentity[] = []
  for (const visit of salted) {
    identities.push(book.identify(visit))
    if (turns.isOver(1)) await turns.next()
  }
  const changes = book.changes()
  if (changes.length > 0) await store.save(changes)
  return identities
}
