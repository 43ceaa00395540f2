import { ByteBudget } from "../../src/platform/limits/byte-budget.js"

/** For tests that are not about the memory of bodies. */
export const ampleMemory = (): ByteBudget => new ByteBudget({ totalBytes: 2 ** 40, smallBytes: 0, reserveBytes: 0 })
export const holdFreely = (): void => {}
