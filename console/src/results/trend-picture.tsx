import { BigNumbers } from "../pictures/big-numbers"
import type { Series } from "../pictures/drawable"
import { LineChart } from "../pictures/line-chart"
import { writeNumber } from "../pictures/numbers"
import { PointTable } from "../pictures/point-table"
import { ValueBars } from "../pictures/value-bars"
import type { Chosen } from "./chosen"
import type { ResultOf } from "./result"

/** How a trend is shown. */
export type TrendView = "lines" | "bars" | "number" | "table"

interface TrendPictureProps {
  readonly result: ResultOf<"TrendsResult">
  readonly series: readonly Series[]
  readonly view?: TrendView
  readonly isSmall?: boolean
  readonly width: number
  readonly height: number
  readonly onChosen?: (chosen: Chosen) => void
}

/** Lines with their values below them, bars or large numbers of the whole time, or the values alone. */
export function TrendPicture({ result, series, view, isSmall, width, height, onChosen }: TrendPictureProps) {
  const choose = (at: number, place?: number): void => {
    const one = result.trends[at]
    if (one === undefined) return
    const point = place === undefined ? undefined : one.points[place]
    onChosen?.({
      of: "trends",
      series: one.series?.order ?? 0,
      breakdown: one.breakdown,
      day: point?.day,
      isPrevious: one.period === "PREVIOUS",
      title: [series[at]?.label, point?.label].filter(Boolean).join(", "),
    })
  }
  // A formula has no events of its own, so there is nobody behind its numbers.
  const isAskable = onChosen !== undefined && result.trends.every((one) => one.series !== null)
  const values = series.map(({ label, count }) => ({ name: label, value: count ?? 0 }))
  // Without points it was asked for the whole time.
  const isTotal = result.trends.every(({ points }) => points.length === 0)
  const shown = view ?? (isTotal ? (series.length > 1 ? "bars" : "number") : "lines")
  switch (shown) {
    case "bars":
      return <ValueBars values={values} onValue={isAskable ? choose : undefined} />
    case "number":
      return (
        <BigNumbers
          numbers={values.map(({ name, value }) => ({ name, text: writeNumber(value) }))}
          onNumber={isAskable ? choose : undefined}
        />
      )
    case "table":
      return <PointTable series={series} onPoint={isAskable ? choose : undefined} />
    case "lines":
      return (
        <>
          <LineChart series={series} width={width} height={height} onPoint={isAskable ? choose : undefined} />
          {!isSmall && <PointTable series={series} onPoint={isAskable ? choose : undefined} />}
        </>
      )
  }
}
