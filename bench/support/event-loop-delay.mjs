import { renameSync, writeFileSync } from "node:fs"

/**
 * Loaded into a measured server by `--import`: on SIGUSR2 it writes into the file that EVENT_LOOP_DELAY_FILE names how long
 * the main thread worked at most between two turns of the event loop since the last signal, in milliseconds of processor
 * time (others may use the machine) and of the clock.
 */
const file = process.env.EVENT_LOOP_DELAY_FILE
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let lastCpu = cpuMs()
let lastClock = performance.now()
let longest = { cpu: 0, clock: 0 }

setInterval(() => {
  const [cpu, clock] = [cpuMs(), performance.now()]
  longest = { cpu: Math.max(longest.cpu, cpu - lastCpu), clock: Math.max(longest.clock, clock - lastClock) }
  lastCpu = cpu
  lastClock = clock
}, 1).unref()

process.on("SIGUSR2", () => {
  writeFileSync(`${file}.new`, JSON.stringify(longest))
  renameSync(`${file}.new`, file)
  longest = { cpu: 0, clock: 0 }
})
