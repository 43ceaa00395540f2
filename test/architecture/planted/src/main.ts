import { clock } from "./kernel/clock.js"
export const main = clock
