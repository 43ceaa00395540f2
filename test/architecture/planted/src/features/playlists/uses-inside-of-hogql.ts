import { resolve } from "../../hogql/resolve.js"
export const back = resolve
