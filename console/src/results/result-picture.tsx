import "../pictures/pictures.css"
import { Skeleton, Text } from "@mantine/core"
import { useElementSize } from "@mantine/hooks"
import { lazy, Suspense } from "react"
import { FunnelBars } from "../pictures/funnel-bars"
import { LineChart } from "../pictures/line-chart"
import { PointTable } from "../pictures/point-table"
import { RetentionTable } from "../pictures/retention-table"
import { RowTable } from "../pictures/row-table"
import { RunProgress } from "../pictures/run-progress"
import type { Chosen } from "./chosen"
import type { Result } from "./result"
import { TimeToConvert } from "./time-to-convert"
import { toFunnels, toLifecycleSeries, toStickinessSeries, toTrendSeries } from "./to-series"
import { TrendPicture, type TrendView } from "./trend-picture"
import { WebNumbers } from "./web-numbers"

const PathsPicture = lazy(async () => ({ default: (await import("./paths-picture")).PathsPicture }))

export interface ResultPictureProps {
  readonly result: Result
  /** How a trend is shown; lines when absent. */
  readonly view?: TrendView
  /** Whether there is little room: tables below charts are left out. */
  readonly isSmall?: boolean
  /** Lets parts of the picture be chosen. */
  readonly onChosen?: (chosen: Chosen) => void
}

/** The picture of a result in the width that there is. Values are text nodes, so nothing shown can become markup. */
export function ResultPicture(props: ResultPictureProps) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className="picture">
      {width > 0 && <Drawing {...props} width={width} height={props.isSmall ? 200 : 320} />}
    </div>
  )
}

interface DrawingProps extends ResultPictureProps {
  readonly width: number
  readonly height: number
}

function Drawing(props: DrawingProps) {
  const { result, onChosen, isSmall, width, height } = props
  switch (result.__typename) {
    case "TrendsResult":
      return <TrendPicture {...props} series={toTrendSeries(result)} result={result} />
    case "FunnelResult": {
      if (result.timeToConvert !== null) return <TimeToConvert time={result.timeToConvert} />
      const choose =
        onChosen &&
        (({ funnel, step, isDropOff }: { funnel: number; step: number; isDropOff: boolean }) => {
          const group = result.groups[funnel]
          const { name } = group?.steps[step] ?? { name: "" }
          onChosen({
            of: "funnel",
            step: isDropOff ? -(step + 1) : step + 1,
            breakdown: group?.breakdown ?? null,
            title: isDropOff ? `Left before ${name}` : `Came to ${name}`,
          })
        })
      return <FunnelBars funnels={toFunnels(result)} onChosen={choose} />
    }
    case "RetentionResult":
      return (
        <RetentionTable
          cohorts={result.matrix}
          onCohort={
            onChosen &&
            ((at) =>
              onChosen({
                of: "retention",
                interval: at,
                breakdown: result.matrix[at]?.breakdown ?? null,
                title: `Began on ${result.matrix[at]?.label}`,
              }))
          }
        />
      )
    case "PathsResult":
      return (
        <Suspense fallback={<Skeleton height={height} />}>
          <PathsPicture result={result} width={width} isSmall={isSmall} onChosen={onChosen} />
        </Suspense>
      )
    case "StickinessResult": {
      const series = toStickinessSeries(result)
      const choose =
        onChosen &&
        ((at: number, place: number) => {
          const { series: asked, points, label } = result.stickiness[at] ?? {}
          const intervals = points?.[place]?.intervals ?? 1
          const title = `${label}: ${points?.[place]?.label}`
          onChosen({ of: "stickiness", series: asked?.order ?? at, intervals, title })
        })
      return <Lines {...props} series={series} choose={choose} />
    }
    case "LifecycleResult": {
      const choose =
        onChosen &&
        ((at: number, place: number) => {
          const one = result.lifecycle[at]
          const point = one?.points[place]
          if (one && point)
            onChosen({ of: "lifecycle", status: one.status, day: point.day, title: `${one.label}: ${point.label}` })
        })
      return <Lines {...props} series={toLifecycleSeries(result)} choose={choose} />
    }
    case "WebOverviewResult":
      return <WebNumbers items={result.items} />
    case "HogQLResult":
      return <RowTable columns={result.columns.map(({ name }) => name)} rows={result.rows.map((row) => row ?? [])} />
    case "QueryRun":
      return <RunProgress run={result} />
    default:
      return <Text size="sm">A result of this kind has no picture yet.</Text>
  }
}

interface LinesProps extends DrawingProps {
  readonly series: ReturnType<typeof toTrendSeries>
  readonly choose: ((series: number, place: number) => void) | undefined
}

function Lines({ series, width, height, isSmall, choose }: LinesProps) {
  return (
    <>
      <LineChart series={series} width={width} height={height} onPoint={choose} />
      {!isSmall && <PointTable series={series} onPoint={choose} />}
    </>
  )
}
