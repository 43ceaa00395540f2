/** Resolves when `work` does, or after `ms` at the latest; the work goes on. Rejects only when `work` does before. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise: timedOut, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
