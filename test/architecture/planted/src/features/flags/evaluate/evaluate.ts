import { store } from "../flag.store.js"
export const evaluate = store
