export { createSessionsFeature } from "./sessions.feature.js"
