const PORT = /:\d*$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Under two letters of a country, these stand where others register their names: `example.co.uk`, `example.com.br`. */
const SECOND_LEVELS = new Set("ac co com edu go gob gouv gov gv ltd me mil ne net nhs nom or org plc sch".split(" "))
const COUNTRY = /^[a-z]{2}$/

/**
 * What a site and its subdomains have in common: the last two labels of a host, or three where a country hands out names one
 * level down. A short rule instead of the public suffix list (decision 0038): it takes the sites of a hoster, such as
 * `one.github.io` and `other.github.io`, for one. Addresses and single words are their own; case, port and a final dot do not count.
 */
export function rootDomainOf(host: string): string {
  const name = host.trim().toLowerCase()
  if (name.startsWith("[")) return name.replace(/\](?::\d*)?$/, "]")
  const domain = name.replace(PORT, "").replace(/\.$/, "")
  if (IPV4.test(domain)) return domain
  const labels = domain.split(".")
  const [second = "", last = ""] = labels.slice(-2)
  const count = COUNTRY.test(last) && SECOND_LEVELS.has(second) ? 3 : 2
  return labels.slice(-count).join(".")
}
