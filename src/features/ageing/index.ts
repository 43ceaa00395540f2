export { createAgeingFeature } from "./ageing.feature.js"
