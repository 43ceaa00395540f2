export { CohortEntity } from "./cohort.entity.js"
