/** Stops processes (SIGSTOP: their sockets stay open and nobody answers) while `work` runs; whatever happens, they go on. */
export async function whilePaused<T>(pids: readonly number[], work: () => Promise<T>): Promise<T> {
  if (pids.length === 0) throw new Error("there is no process to pause")
  for (const pid of pids) process.kill(pid, "SIGSTOP")
  try {
    return await work()
  } finally {
    for (const pid of pids) process.kill(pid, "SIGCONT")
  }
}
