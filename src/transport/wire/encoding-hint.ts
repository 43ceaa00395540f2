import { undecodable } from "./faults.js"

/** How a body is packed, whatever the spelling at the wire. */
export type Packing = "gzip" | "deflate" | "br" | "zstd" | "lz64" | "base64"

const SPELLINGS: ReadonlyMap<string, Packing> = new Map([
  ["gzip", "gzip"],
  ["gzip-js", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
  ["zstd", "zstd"],
  ["lz64", "lz64"],
  ["lz-string", "lz64"],
  ["base64", "base64"],
  ["b64", "base64"],
])

/**
 * Reads the `compression` field of a query or a form. A value nobody knows is no hint and never an error, because the
 * bytes are looked at anyway (`docs/contract/capture.md#query-parameters`).
 */
export const packingOfField = (value: string | null): Packing | null =>
  value === null ? null : (SPELLINGS.get(value.toLowerCase()) ?? null)

/**
 * Reads `Content-Encoding`. One layer only: nothing sends two, and each layer would need its own limit.
 * @throws AppError malformed_data for a coding that is not known (`docs/contract/capture.md#envelope-faults`).
 */
export function packingOfHeader(contentEncoding: string | undefined): Packing | null {
  if (contentEncoding === undefined || contentEncoding === "") return null
  const name = contentEncoding.trim().toLowerCase()
  if (name === "identity") return null
  const packing = SPELLINGS.get(name)
  if (packing === undefined)
    throw undecodable(
      `Content-Encoding must be one of ${[...SPELLINGS.keys()].join(", ")}, not ${JSON.stringify(name)}.`,
    )
  return packing
}
