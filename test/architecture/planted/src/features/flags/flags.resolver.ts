import { store } from "./flag.store.js"
export const resolver = store
