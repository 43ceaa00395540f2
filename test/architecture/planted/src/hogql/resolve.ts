export const resolve = 1
