import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "@jest/globals"
import { gzipBomb, lz64Bomb } from "./bombs.js"
import type { CaptureDriver, WireRequest } from "./capture-driver.js"
import { expectErrorBody } from "./http-cases.js"

/** What a bomb may cost at most, as `compressed.json` says. */
const MAX_RISE_KIB = 64 * 1024
const JSON_GZIP = { "Content-Type": "application/json", "Content-Encoding": "gzip" }

const post = (url: string, headers: Record<string, string>, body: Buffer): WireRequest => ({
  method: "POST",
  url,
  headers,
  body,
})

const BOMBS: readonly [id: string, status: readonly number[], request: () => WireRequest][] = [
  ["zip-bomb-10g: zeros", [400, 413], () => post("/i/v0/e/", JSON_GZIP, gzipBomb({ mebibytes: 10_240, byte: 0 }))],
  [
    "zip-bomb-10g: spaces, which JSON may begin with",
    [413],
    () => post("/i/v0/e/", JSON_GZIP, gzipBomb({ mebibytes: 10_240, byte: 0x20 })),
  ],
  [
    "zip-bomb-lz64",
    [413],
    () => post("/e/?compression=lz64", { "Content-Type": "text/plain" }, Buffer.from(lz64Bomb())),
  ],
  [
    "zip-bomb-lz64: in a form",
    [413],
    () =>
      post(
        "/e/",
        { "Content-Type": "application/x-www-form-urlencoded" },
        Buffer.from(new URLSearchParams({ data: lz64Bomb(), compression: "lz64" }).toString()),
      ),
  ],
]

/** The entries of compressed.json that are described in words: refused before they cost memory. */
export function runBombCases(createDriver: () => CaptureDriver, serverPid: () => number): void {
  test.each(BOMBS)("%s is refused before it fills the memory", async (_id, statuses, createRequest) => {
    const request = createRequest()
    const driver = createDriver()
    const beforeKib = residentKib(serverPid(), "VmRSS")
    forgetPeak(serverPid())
    const { status, text } = await driver.send(request)
    const riseKib = residentKib(serverPid(), "VmHWM") - beforeKib
    expect(statuses).toContain(status)
    expectErrorBody(text)
    expect(riseKib).toBeLessThan(MAX_RISE_KIB)
  })

  test("a gzip bomb that tells a lie about its size is inflated to the limit and no further", async () => {
    const driver = createDriver()
    const bomb = gzipBomb({ mebibytes: 10_240, byte: 0x20, declaredBytes: 1000 })
    const { status, text } = await driver.send(post("/i/v0/e/", JSON_GZIP, bomb))
    expect([400, 413]).toContain(status)
    expectErrorBody(text)
    expect((await driver.send(post("/i/v0/e/", JSON_GZIP, bomb))).status).toBe(status)
  })
}

/** Memory of a process as Linux counts it, in KiB: `VmRSS` now, `VmHWM` at its highest since the peak was forgotten. */
function residentKib(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1])
}

/** See `clear_refs` in proc_pid_clear_refs(5). */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5")
