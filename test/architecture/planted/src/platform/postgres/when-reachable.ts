export const whenReachable = 1
