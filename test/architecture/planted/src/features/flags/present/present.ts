import { store } from "../flag.store.js"
export const present = store
