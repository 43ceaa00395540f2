export const operator = 1
