/** The operating system's code of a thrown error (`ENOENT`, `EADDRINUSE`); undefined for any other error. */
export function readSystemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined
  return typeof error.code === "string" ? error.code : undefined
}
