export const records = 1
