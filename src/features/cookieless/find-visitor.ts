import type { ProjectVisit, VisitorStore } from "./cookieless.types.js"
import { keyOfVisit, toSaltedVisit } from "./process/visitor-book.js"
import { visitorIdOf } from "./process/visitor-ids.js"

/** The distinct id that ingestion would give an event of this visit just now. Keeps nothing of it. */
export async function findVisitor(store: Pick<VisitorStore, "saltsOf" | "load">, visit: ProjectVisit): Promise<string> {
  const salted = toSaltedVisit(visit, await store.saltsOf([visit.day]))
  if (visit.isStateless) return salted.deviceId
  const [visitor] = await store.load([keyOfVisit(salted)])
  return visitorIdOf(salted.salt, visit, visitor?.logins ?? 0)
}
