import siphash from "siphash"

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): whoever does not know the key can neither guess nor repeat what a message hashes to.
 * @param key 16 bytes
 * @returns the 64 bits as 16 hexadecimal digits, highest first
 */
export function sipHash(key: Uint8Array, message: Uint8Array): string {
  const words = new DataView(key.buffer, key.byteOffset, key.byteLength)
  return siphash.hash_hex(
    [0, 4, 8, 12].map((offset) => words.getUint32(offset, true)),
    message,
  )
}
