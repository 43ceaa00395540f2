import { store } from "../flags/flag.store.js"
export const door = store
