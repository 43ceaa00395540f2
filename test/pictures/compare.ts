import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import pixelmatch from "pixelmatch"
import { PNG } from "pngjs"
import { writePalettePng } from "./palette-png.js"

const FOLDER = "test/pictures/baseline"
/** So many pixels may differ by more than the edge of a letter, as between two releases of Chromium. */
const TOLERATED_PIXELS = 60
/** How often a picture is made, in case that something was still being drawn. */
const TRIES = 8

type Take = () => Promise<Buffer>

const toFile = (name: string, kind = ""): string => `${FOLDER}/${name}${kind}.png`

/**
 * Keeps as what a screen has to look like the first picture that is like the one before it.
 * @throws Error when none is.
 */
export async function keepWhenStill(name: string, take: Take): Promise<void> {
  let before = await take()
  for (let tries = 1; tries < TRIES; tries++) {
    const now = await take()
    if (now.equals(before)) {
      mkdirSync(FOLDER, { recursive: true })
      return writeFileSync(toFile(name), writePalettePng(PNG.sync.read(now)))
    }
    before = now
  }
  throw new Error(`${name} does not come to rest`)
}

/** How the last of the pictures made differs from the kept one; nothing as soon as one is like it. */
export async function compareUntilAlike(name: string, take: Take): Promise<string[]> {
  let difference: string | null = null
  for (let tries = 0; tries < TRIES; tries++) {
    difference = findDifference(name, await take())
    if (difference === null) return []
  }
  return difference === null ? [] : [difference]
}

/** Says how a picture differs from the kept one, null when it does not; what differs is written beside that. */
function findDifference(name: string, taken: Buffer): string | null {
  for (const kind of [".now", ".difference"]) rmSync(toFile(name, kind), { force: true })
  if (!existsSync(toFile(name))) return `${name} is not kept yet`
  const kept = PNG.sync.read(readFileSync(toFile(name)))
  const now = PNG.sync.read(taken)
  const { width, height } = kept
  if (now.width !== width || now.height !== height)
    return `${name} is ${now.width} × ${now.height} large instead of ${width} × ${height}`
  const difference = new PNG({ width, height })
  const pixels = pixelmatch(kept.data, now.data, difference.data, width, height, { threshold: 0.1 })
  if (pixels <= TOLERATED_PIXELS) return null
  writeFileSync(toFile(name, ".now"), taken)
  writeFileSync(toFile(name, ".difference"), PNG.sync.write(difference))
  return `${name} differs in ${pixels} pixels: see ${toFile(name, ".difference")}`
}
