import "uplot/dist/uPlot.min.css"
import "./plot.css"
import { useComputedColorScheme } from "@mantine/core"
import { useEffect, useRef } from "react"
import UPlot from "uplot"
import { writeNumber } from "./numbers"

/** How places along a plot are named: times in a zone, numbers, or names in an order. */
export type PlotAxis =
  | { readonly is: "times"; readonly timezone: string; readonly hasHours: boolean }
  | { readonly is: "numbers" }
  | { readonly is: "names"; readonly names: readonly string[] }

/** What is plotted. */
export interface PlotData {
  /** What is along the plot. */
  readonly along: string
  readonly axis: PlotAxis
  /** Places along the plot, growing: seconds since 1970, numbers, or places in the list of names. */
  readonly places: readonly number[]
  readonly lines: readonly { readonly label: string; readonly values: readonly (number | null)[] }[]
}

export interface PlotProps {
  /** What is seen, for those who do not see it. */
  readonly label: string
  readonly data: PlotData
  readonly view: "lines" | "bars"
  readonly width: number
  readonly height: number
}

function writeTimes(timezone: string, hasHours: boolean): (second: number) => string {
  const format = new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    ...(hasHours && { timeStyle: "short" }),
    timeZone: timezone,
  })
  return (second) => format.format(second * 1000)
}

/** How a place is written where it is pointed at. */
function toWriter(axis: PlotAxis): (place: number) => string {
  if (axis.is === "times") return writeTimes(axis.timezone, axis.hasHours)
  return axis.is === "names" ? (place) => axis.names[place] ?? "" : writeNumber
}

/** Lines or bars over many points, drawn on a canvas; the rows themselves are to be read as a table. */
export function Plot({ label, data, view, width, height }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme("light")
  // biome-ignore lint/correctness/useExhaustiveDependencies: a canvas does not follow the colours of the theme.
  useEffect(() => {
    if (place.current === null) return
    const style = getComputedStyle(place.current)
    const color = (name: string): string => style.getPropertyValue(name).trim()
    const { along, axis, places, lines } = data
    const write = toWriter(axis)
    const look = { stroke: color("--soft"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } }
    const paths = view === "bars" ? UPlot.paths.bars?.({ size: [0.7, 60] }) : undefined
    const plot = new UPlot(
      {
        width,
        height,
        scales: { x: { time: axis.is === "times" }, y: { range: (_, low, high) => toRange(low, high) } },
        axes: [
          {
            ...look,
            ...(axis.is === "names" && {
              incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
              values: (_: UPlot, marks: number[]) => marks.map((mark) => axis.names[mark] ?? ""),
            }),
          },
          { ...look, size: 64, values: (_, marks) => marks.map(writeNumber) },
        ],
        series: [
          { label: along, value: (_, at) => (at === null ? "" : write(at)) },
          ...lines.map((line, at) => ({
            label: line.label,
            stroke: color(`--s${at % 10}`),
            width: 2,
            ...(view === "bars" && { fill: color(`--s${at % 10}`) }),
            ...(paths !== undefined && { paths }),
            points: { show: view === "lines" && places.length <= 60 },
            value: (_: UPlot, value: number | null) => (value === null ? "–" : writeNumber(value)),
          })),
        ],
        ...(axis.is === "times" && {
          tzDate: (second: number) => UPlot.tzDate(new Date(second * 1000), axis.timezone),
        }),
      },
      [[...places], ...lines.map(({ values }) => [...values])],
      place.current,
    )
    return () => plot.destroy()
  }, [data, view, width, height, scheme])
  const names = data.lines.map((line) => line.label)
  return <div ref={place} className="plot" role="img" aria-label={`${label}: ${names.join(", ")}`} />
}

/** From 0, unless there is less; a little more than the most. */
const toRange = (low: number | null, high: number | null): [number, number] => {
  const bottom = Math.min(0, low ?? 0)
  const top = Math.max(high ?? 1, bottom + Number.EPSILON)
  return [bottom * 1.05, top === 0 ? 1 : top * 1.05]
}
