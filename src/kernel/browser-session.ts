/** The cookie that has the token of a browser's session. */
export const SESSION_COOKIE = "waymark_session"

/**
 * The header, with the value `1`, with which a page of this server says that it is one. Neither a form nor a link can send
 * it, and a script of another site only after this server has allowed it to, which it never does.
 */
export const CONSOLE_HEADER = "waymark-console"
