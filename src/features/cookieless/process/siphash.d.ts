/** The package brings no types along. */
declare module "siphash" {
  const sipHash: {
    /** SipHash-2-4 as 16 hexadecimal digits, highest first. `key` is four words of 32 bits. */
    hash_hex(key: readonly number[], message: Uint8Array): string
  }
  export = sipHash
}
