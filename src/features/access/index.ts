export { type OperationScope, scopesByOperation } from "./operation-scopes.js"
export { PrincipalScope, ProjectScope } from "./scope.decorators.js"
