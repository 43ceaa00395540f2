export { actionEntities } from "./action.entity.js"
export { createActionsFeature } from "./actions.feature.js"
export { ActionsResolver } from "./actions.resolver.js"
