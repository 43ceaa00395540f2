import { DefinitionFactsResolver } from "./definition-facts.resolver.js"
import { EventDefinitionsResolver } from "./event-definitions.resolver.js"
import { PropertyDefinitionsResolver } from "./property-definitions.resolver.js"

export { definitionEntities } from "./definition.entity.js"
export { createDefinitionsFeature } from "./definitions.feature.js"

/** What the schema of this feature is made of. */
export const definitionResolverClasses = [
  DefinitionFactsResolver,
  EventDefinitionsResolver,
  PropertyDefinitionsResolver,
] as const
