import { records } from "../../platform/postgres/records.js"
export const store = records
