import type { Platform } from "../../platform/platform.types.js"
import type { OrganizationAccess } from "../access/index.js"
import { ServerHealthResolver } from "./server-health.resolver.js"
import { createServerHealth, type ServerHealthDependencies } from "./server-health.service.js"
import { createStoreFacts } from "./store-facts.store.js"

export interface ServerHealthFeatureDependencies
  extends Omit<ServerHealthDependencies, "facts">,
    Pick<Platform, "database" | "clickHouse"> {
  /** Folder on the disk of PostgreSQL; null where that is another machine's. */
  readonly ownDisk: string | null
  readonly organizations: Pick<OrganizationAccess, "requireOperator">
}

/** Wires what operators see of the server: probes, what the stores say of themselves, resolver. */
export function createServerHealthFeature(dependencies: ServerHealthFeatureDependencies) {
  const { database, clickHouse, ownDisk, organizations, ...rest } = dependencies
  const facts = createStoreFacts(database.pool, clickHouse, ownDisk)
  return { resolver: new ServerHealthResolver(createServerHealth({ ...rest, facts }), organizations) }
}
