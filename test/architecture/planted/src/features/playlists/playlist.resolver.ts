import { whenReachable } from "../../platform/postgres/when-reachable.js"
export const resolver = whenReachable
