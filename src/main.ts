import { setHeapGrowingFactor } from "./app/set-heap-growing-factor.js"
import { stabilizeTickObjects } from "./app/stabilize-tick-objects.js"

const MINIMUM_NODE_MAJOR = 24

stabilizeTickObjects()
setHeapGrowingFactor()

// Loaded only after the check: the packages behind it do not even parse on an old Node.
if (Number(process.versions.node.split(".")[0]) < MINIMUM_NODE_MAJOR) {
  process.stderr.write(
    `Waymark needs Node ${MINIMUM_NODE_MAJOR} or newer; this is ${process.versions.node}. Start it with npm start, which brings its own.\n`,
  )
  process.exitCode = 1
} else {
  const { runProcess } = await import("./app/run-process.js")
  await runProcess()
}
