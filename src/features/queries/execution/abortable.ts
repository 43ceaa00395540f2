/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts; the work goes on. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener("abort", onAbort, { once: true })
  try {
    if (signal.aborted) onAbort()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}
