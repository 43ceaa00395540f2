const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
const BASE = BigInt(DIGITS.length)

/** Writes bytes as one number in base 62 (0-9 a-z A-Z), padded on the left with `0` to `minimumLength` digits. */
export function toBase62(bytes: Uint8Array, minimumLength: number): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`)
  let text = ""
  while (rest > 0n) {
    text = DIGITS.charAt(Number(rest % BASE)) + text
    rest /= BASE
  }
  return text.padStart(minimumLength, "0")
}
