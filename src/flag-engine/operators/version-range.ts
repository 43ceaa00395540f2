import { compareCores, compareVersions, parseVersion, type SemanticVersion } from "../../kernel/semantic-version.js"

/** Whether a version lies in a range. */
export type VersionTest = (version: SemanticVersion) => boolean

/** `~1.2.3`: at least 1.2.3 and below 1.3.0. Null when the text is no version. */
export function tildeRange(text: string): VersionTest | null {
  const lower = parseVersion(text)
  if (lower === null) return null
  return between(lower, [lower.core[0], next(lower.core[1]), 0])
}

/** `^1.2.3`: up to the next major; `^0.2.3` up to the next minor; `^0.0.3` up to the next patch. */
export function caretRange(text: string): VersionTest | null {
  const lower = parseVersion(text)
  if (lower === null) return null
  const [major, minor, patch] = lower.core
  if (major > 0) return between(lower, [next(major), 0, 0])
  return between(lower, minor > 0 ? [0, next(minor), 0] : [0, 0, next(patch)])
}

const WILDCARD = /^(?:\*|(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?(?:\.(0|[1-9]\d*))?((?:\.\*){0,2}))$/

/** `1.2.*`, `1.*`, `1.*.*`, `*` or a full version. A star before a number and padded zeros are errors: null. */
export function wildcardRange(text: string): VersionTest | null {
  const match = WILDCARD.exec(text.trim().replace(/^v/i, ""))
  if (match === null) return null
  const fixed = [match[1], match[2], match[3]].filter((part) => part !== undefined).map(Number)
  const stars = (match[4]?.length ?? 0) / 2
  if (fixed.length + stars > 3) return null
  return (version) =>
    version.prerelease.length === 0 && fixed.every((part, index) => sameNumber(version.core[index], part))
}

/** A pre-release lies in a range only when the range's own lower end is a pre-release of the same triple. */
function between(lower: SemanticVersion, upper: SemanticVersion["core"]): VersionTest {
  return (version) => {
    if (
      version.prerelease.length > 0 &&
      (lower.prerelease.length === 0 || compareCores(version.core, lower.core) !== 0)
    )
      return false
    return compareVersions(version, lower) >= 0 && compareCores(version.core, upper) < 0
  }
}

const next = (part: number | bigint): number | bigint => (typeof part === "bigint" ? part + 1n : part + 1)

const sameNumber = (left: number | bigint | undefined, right: number): boolean =>
  left !== undefined && !(left < right) && !(left > right)
