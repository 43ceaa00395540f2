import { globSync, readFileSync } from "node:fs"

/** A file with its text. */
export interface TextFile {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** Reads the files of some patterns, without the trees of planted breaches and what is generated, sorted by path. */
export function readFiles(...patterns: readonly string[]): TextFile[] {
  return patterns
    .flatMap((pattern) => globSync(pattern))
    .filter((path) => !/\/(planted|generated)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
}

/** All files that we write in TypeScript or JavaScript. */
export const readCode = (): TextFile[] =>
  readFiles(
    "{src,test,bench,demo,console}/**/*.{ts,tsx,mjs}",
    "scripts/*.{ts,mjs}",
    "*.config.js",
    ".dependency-cruiser.cjs",
  )
