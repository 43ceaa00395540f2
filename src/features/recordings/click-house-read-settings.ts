/** For interactive reads: seconds after which a caller who waits for an answer has given up. */
export const READ_SETTINGS = { max_execution_time: 30 }
