const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/** An address in its one usual spelling, because IPv6 has many; IPv4 inside IPv6 as IPv4. Anything else stays as it is. */
export function canonicalAddress(address: string): string {
  const inside = MAPPED_IPV4.exec(address)?.[1]
  if (inside !== undefined) return inside
  if (!address.includes(":") || !URL.canParse(`http://[${address}]`)) return address
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
