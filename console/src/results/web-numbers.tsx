import type { WebOverviewNumber } from "../graph/generated/graphql"
import { BigNumbers } from "../pictures/big-numbers"
import { writeDuration, writeNumber } from "../pictures/numbers"
import type { ResultOf } from "./result"

type Item = ResultOf<"WebOverviewResult">["items"][number]

const NAMES: Readonly<Record<WebOverviewNumber, string>> = {
  VISITORS: "Visitors",
  VIEWS: "Page views",
  SESSIONS: "Sessions",
  SESSION_DURATION: "Session duration",
  BOUNCE_RATE: "Bounce rate",
  CONVERSION_RATE: "Conversion rate",
  TOTAL_CONVERSIONS: "Conversions",
  UNIQUE_CONVERSIONS: "People who converted",
}

function write({ unit, current }: Item): string {
  if (current === null) return "–"
  if (unit === "SECONDS") return writeDuration(current)
  return unit === "PERCENT" ? `${writeNumber(current)} %` : writeNumber(current)
}

function writeChange({ changePercent, isIncreaseBad }: Item) {
  if (changePercent === null) return undefined
  const text = `${changePercent > 0 ? "+" : ""}${writeNumber(changePercent)} %`
  return { text, isGood: changePercent >= 0 !== isIncreaseBad }
}

/** The numbers of a web site, with their change against the period before where it was asked for. */
export function WebNumbers({ items }: { readonly items: readonly Item[] }) {
  return (
    <BigNumbers
      numbers={items.map((item) => ({
        name: item.key === null ? "Other" : NAMES[item.key],
        text: write(item),
        change: writeChange(item),
      }))}
    />
  )
}
