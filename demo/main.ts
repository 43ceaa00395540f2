import { createApi } from "./api.js"
import { ensureDashboards } from "./dashboards.js"
import { ensureFlag, showFunnel, showOneStory, showTrend, waitUntilStored } from "./read-back.js"
import { sendTraffic } from "./send.js"
import { DemoError, findOrStartServer } from "./server.js"
import { monthOfTraffic } from "./traffic.js"

const VISITORS_PER_DAY = 60

const server = await findOrStartServer().catch((failure: unknown) => {
  if (!(failure instanceof DemoError)) throw failure
  process.stderr.write(`${failure.message}\n`)
  process.exit(1)
})
try {
  const api = createApi(server)
  await ensureFlag(api)
  const moments = monthOfTraffic(new Date(), VISITORS_PER_DAY)
  const startedAt = performance.now()
  await sendTraffic(moments, server.url, server.projectKey)
  await waitUntilStored(api, moments.length)
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`A month of traffic sent, stored and queryable in ${seconds.toFixed(1)} s.\n`)
  await showTrend(api)
  await showFunnel(api)
  await showOneStory(api)
  await ensureDashboards(api)
} finally {
  await server.stop()
}
