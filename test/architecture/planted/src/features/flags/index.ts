export const flags = 1
