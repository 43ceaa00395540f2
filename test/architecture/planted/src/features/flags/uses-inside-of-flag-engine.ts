import { operator } from "../../flag-engine/operators.js"
export const inside = operator
