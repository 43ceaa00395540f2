import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import { createActionRepository } from "./action.repository.js"
import { ActionsResolver } from "./actions.resolver.js"
import { type ActionsDependencies, createActionsService } from "./actions.service.js"

export interface ActionsFeatureDependencies extends Omit<ActionsDependencies, "repository"> {
  readonly database: Pick<Database, "records">
  readonly ids: Pick<Ids, "uuidV7">
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires actions: PostgreSQL, use cases, resolver. */
export function createActionsFeature({ database, ids, userLoader, ...rest }: ActionsFeatureDependencies) {
  const service = createActionsService({ ...rest, repository: createActionRepository(database.records, ids) })
  return { service, resolver: new ActionsResolver(service, userLoader) }
}
