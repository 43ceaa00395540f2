/** A semantic version; numbers too large for exact binary64 are bigints, which compare with numbers correctly. */
export interface SemanticVersion {
  readonly core: readonly [number | bigint, number | bigint, number | bigint]
  /** Pre-release identifiers; empty for a release. */
  readonly prerelease: readonly string[]
}

const CORE = /^\d+(?:\.\d+){0,2}$/
const IDENTIFIERS = /^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/
const DIGITS = /^\d+$/

/**
 * Reads a version leniently (`docs/contract/flags.md#property-operators`): trimmed, one leading `v` dropped, missing
 * parts 0, leading zeros dropped, build metadata ignored. Four parts, signs and empty parts are no version: null.
 */
export function parseVersion(text: string): SemanticVersion | null {
  const [withoutBuild = ""] = text.trim().replace(/^v/i, "").split("+", 1)
  const dash = withoutBuild.indexOf("-")
  const core = dash === -1 ? withoutBuild : withoutBuild.slice(0, dash)
  if (!CORE.test(core)) return null
  const prerelease = dash === -1 ? [] : withoutBuild.slice(dash + 1).split(".")
  if (dash !== -1 && !IDENTIFIERS.test(withoutBuild.slice(dash + 1))) return null
  const [major = 0, minor = 0, patch = 0] = core.split(".").map(toExactNumber)
  return { core: [major, minor, patch], prerelease }
}

/** Full semantic-version order: negative, zero or positive. A pre-release comes before its release. */
export function compareVersions(left: SemanticVersion, right: SemanticVersion): number {
  const byCore = compareCores(left.core, right.core)
  if (byCore !== 0) return byCore
  if (left.prerelease.length === 0 || right.prerelease.length === 0)
    return Math.sign(right.prerelease.length - left.prerelease.length)
  return comparePrereleases(left.prerelease, right.prerelease)
}

/** Below 0 when the left one is older by major, minor and patch alone, 0 when they are the same. */
export function compareCores(left: SemanticVersion["core"], right: SemanticVersion["core"]): number {
  for (let part = 0; part < 3; part++) {
    const order = compareNumbers(left[part] as number | bigint, right[part] as number | bigint)
    if (order !== 0) return order
  }
  return 0
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareIdentifiers(left[index] as string, right[index] as string)
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareIdentifiers(left: string, right: string): number {
  const leftIsNumber = DIGITS.test(left)
  const rightIsNumber = DIGITS.test(right)
  if (leftIsNumber && rightIsNumber) return compareNumbers(toExactNumber(left), toExactNumber(right))
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1
  return left < right ? -1 : left > right ? 1 : 0
}

const compareNumbers = (left: number | bigint, right: number | bigint): number =>
  left < right ? -1 : left > right ? 1 : 0

const toExactNumber = (digits: string): number | bigint => (digits.length > 15 ? BigInt(digits) : Number(digits))
