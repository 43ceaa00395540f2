import type { ProjectVisit, VisitorStore } from "./cookieless.types.js"
import { toVisitorId } from "./process/visitor-ids.js"
import { toSaltedVisit, toVisitorKey } from "./process/visitor-registry.js"

/** The distinct id that ingestion would give an event of this visit just now. Keeps nothing of it. */
export async function findVisitor(
  store: Pick<VisitorStore, "findSalts" | "load">,
  visit: ProjectVisit,
): Promise<string> {
  const salted = toSaltedVisit(visit, await store.findSalts([visit.day]))
  if (visit.isStateless) return salted.deviceId
  const [visitor] = await store.load([toVisitorKey(salted)])
  return toVisitorId(salted.salt, visit, visitor?.logins ?? 0)
}
