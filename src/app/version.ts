import { readFileSync } from "node:fs"

const manifest = new URL("../../package.json", import.meta.url)

/** Version of the program, as its package names it. */
export const VERSION: string = JSON.parse(readFileSync(manifest, "utf8")).version
