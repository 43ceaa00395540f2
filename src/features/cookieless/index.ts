export type {
  CookielessDropReason,
  CookielessMode,
  CookielessVisit,
  ProjectVisit,
  VisitorIdentity,
  VisitorStore,
} from "./cookieless.types.js"
export { COOKIELESS_SETTING_CHECKS, readCookielessMode } from "./cookieless-mode.js"
export { findVisitor } from "./find-visitor.js"
export { identifyVisitors } from "./identify-visitors.js"
export { isCookieless, readVisit, STATELESS_MARK } from "./process/read-visit.js"
export { ownId, removeTraces, writeIdentity } from "./process/rewrite-event.js"
export { createSaltMaker, createVisitorStore, forgetOldVisitors, type MakeSalts } from "./visitor.store.js"
