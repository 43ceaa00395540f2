import { queryError } from "../hogql-error.js"
import type { Expression, Sample, Span } from "../nodes/nodes.js"
import type { TableDefinition } from "../schema/schema.js"

/**
 * The condition that keeps the share of a table's keys which SAMPLE asks for; null for all of them. Keys are chosen by their
 * hash, so that the same query always reads the same rows, and shares at different offsets do not overlap.
 *
 * @throws HogqlError for a share outside of 0 to 1 and for tables that have no key to sample
 */
export function sampleCondition(sample: Sample | null, table: TableDefinition, at: Span): string | null {
  if (sample === null) return null
  if (table.sampleKey === undefined) throw queryError(`SAMPLE is not possible on "${table.name}".`, at)
  const share = readShare(sample.share)
  const offset = sample.offset === null ? 0 : readShare(sample.offset)
  if (share === 0) throw queryError("SAMPLE takes a share of more than 0.", sample.share.at)
  const hash = `sipHash64(${table.sampleKey})`
  const from = offset > 0 ? [`${hash} >= ${toHashLimit(offset)}`] : []
  const to = offset + share < 1 ? [`${hash} < ${toHashLimit(offset + share)}`] : []
  return [...from, ...to].join(" AND ") || null
}

const FRACTION_BITS = 53

/** Where a share of the 64-bit hashes ends; shares have 53 bits. */
const toHashLimit = (share: number): bigint =>
  BigInt(Math.floor(share * 2 ** FRACTION_BITS)) << BigInt(64 - FRACTION_BITS)

function readShare(node: Expression): number {
  const share =
    node.kind === "arithmetic" && node.operator === "/"
      ? toFraction(node.left) / toFraction(node.right)
      : toFraction(node)
  if (share >= 0 && share <= 1) return share
  throw queryError(
    "SAMPLE takes a share from 0 to 1, such as 0.1 or 1/10; for a number of rows there is LIMIT.",
    node.at,
  )
}

const toFraction = (node: Expression): number =>
  node.kind === "constant" && typeof node.value === "number" ? node.value : Number.NaN
