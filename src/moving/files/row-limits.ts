/** Of a line: beyond any event that capture takes, and what is packed small may unpack to a line of any length. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Of arrays and objects within a row, or within a text of it: a request has a hundred, those around it included. */
export const MAX_LEVELS = 90
