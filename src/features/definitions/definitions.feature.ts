import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { BasicUser } from "../access/index.js"
import { createDefinitionRepository } from "./definition.repository.js"
import { DefinitionFactsResolver } from "./definition-facts.resolver.js"
import { createDefinitionsService } from "./definitions.service.js"
import { EventDefinitionsResolver } from "./event-definitions.resolver.js"
import { PropertyDefinitionsResolver } from "./property-definitions.resolver.js"

export interface DefinitionsFeatureDependencies extends Pick<Platform, "database" | "ids" | "clock"> {
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires what is said of names: PostgreSQL, use cases, resolvers. */
export function createDefinitionsFeature({ database, ids, clock, userLoader }: DefinitionsFeatureDependencies) {
  const service = createDefinitionsService({ repository: createDefinitionRepository(database.records, ids), clock })
  return {
    resolvers: [
      new DefinitionFactsResolver(userLoader),
      new EventDefinitionsResolver(service),
      new PropertyDefinitionsResolver(service),
    ],
  }
}
