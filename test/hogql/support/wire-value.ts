/** A value as the query answer shows it: times in ISO with the zone's offset. The rest as the engine's JSON has it. */
export function wireValue(value: unknown, type: string, timezone: string): unknown {
  if (typeof value !== "string" || !/DateTime/.test(type)) return value
  const iso = value.replace(" ", "T").replace(/\.0+$/, "")
  return timezone === "UTC" ? `${iso}Z` : `${iso}${offsetOf(iso, timezone)}`
}

function offsetOf(localIso: string, timezone: string): string {
  const name = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" })
    .formatToParts(new Date(`${localIso}Z`))
    .find((part) => part.type === "timeZoneName")?.value
  return name?.replace("GMT", "") || "+00:00"
}
