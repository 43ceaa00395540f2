import { flags } from "../features/flags/index.js"
export const importEvents = flags
