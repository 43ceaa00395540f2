import { spawnSync } from "node:child_process"
import { rmSync, statfsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "@jest/globals"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"

const MIB = 1024 * 1024
/** Above the watermark when the server starts, and then taken away by a file of twice that size. Others write to the disk too. */
const ROOM_MB = 400

const directory = copyOfTemplate("server")
const server = new WaymarkProcess(directory.path, { MIN_FREE_DISK_MB: String(freeMegabytes() - ROOM_MB) })
afterAll(async () => {
  await server.stop()
  directory.remove()
})

function freeMegabytes(): number {
  const { bavail, bsize } = statfsSync(directory.path)
  return Math.floor((bavail * bsize) / MIB)
}

describe("a disk that fills up", () => {
  test("stops capture with 503 before it is full, leaves flags and queries answering, and is taken up again when there is room", async () => {
    const api = new WaymarkApi(await server.ready())
    const capture = () => api.capture({ event: "kept", distinct_id: "ada" })
    expect((await capture()).status).toBe(200)

    const filler = join(directory.path, "filler")
    expect(spawnSync("fallocate", ["-l", `${2 * ROOM_MB}MiB`, filler]).status).toBe(0)
    const refused = await waitFor("capture to be refused", async () => {
      const answer = await capture()
      return answer.status === 200 ? null : answer
    })
    expect(refused).toMatchObject({ status: 503, body: { code: "store_unavailable", attr: null } })
    expect((refused.body as { detail: string }).detail).toContain("MIN_FREE_DISK_MB")
    expect(refused.headers.get("retry-after")).toBe("10")
    expect((await api.get("/_readyz")).status).toBe(200)
    await api.drained()
    const before = await api.hogql("SELECT count() FROM events")

    rmSync(filler)
    await waitFor("capture to be taken up again", async () => (await capture()).status === 200)
    await api.drained()
    expect(await api.hogql("SELECT count() FROM events")).toEqual([[Number(before[0]?.[0]) + 1]])
  })
})
