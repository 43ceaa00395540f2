export { createSessionsFeature } from "./sessions.feature.js"
export type { SessionRollup } from "./sessions.types.js"
