/** How long a store may take to answer before it counts as down. */
export const PROBE_TIMEOUT_MS = 2_000

/** Whether a store answers in time. */
export const isUp = (probe: () => Promise<void>, timeoutMs: number): Promise<boolean> =>
  within(probe(), timeoutMs).then(
    () => true,
    () => false,
  )

/** Rejects when `work` takes longer than allowed; a hung store must not hang the answer about it. */
export async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
