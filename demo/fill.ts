import { createApi } from "./api.js"
import { ensureDashboards } from "./dashboards.js"
import { ensureFlag, showFunnel, showOneStory, showTrend, waitUntilStored } from "./read-back.js"
import { sendRecordings } from "./recordings.js"
import { ensureRecords } from "./records.js"
import { sendTraffic } from "./send.js"
import type { DemoServer } from "./server.js"
import { monthOfTraffic } from "./traffic.js"

const VISITORS_PER_DAY = 60

/**
 * Sends a month of traffic to a server, tells what has become of it, and makes what there is to look at. Sixty visitors a
 * day send ten thousand events in it.
 */
export async function fillServer(server: DemoServer, visitorsPerDay = VISITORS_PER_DAY): Promise<void> {
  const api = createApi(server)
  await ensureFlag(api)
  const moments = monthOfTraffic(new Date(), visitorsPerDay)
  const startedAt = performance.now()
  await sendTraffic(moments, server.url, server.projectKey)
  await waitUntilStored(api, moments.length)
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`A month of traffic sent, stored and queryable in ${seconds.toFixed(1)} s.\n`)
  await showTrend(api)
  await showFunnel(api)
  await showOneStory(api)
  const failedSessions = await sendRecordings(moments, server)
  await ensureDashboards(api)
  await ensureRecords(api, failedSessions)
}
