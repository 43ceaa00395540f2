import { type MouseEvent, useState } from "react"
import { writeDay } from "./days"
import type { Series } from "./drawable"
import { roundUp, writeNumber } from "./numbers"

const LEFT = 56
const RIGHT = 16
const TOP = 12
const BOTTOM = 28
const MAX_SERIES = 10
const MAX_LABELS = 6
/** Beyond so many places the points would hide the line. */
const CROWDED = 60

interface Size {
  readonly width: number
  readonly height: number
}

interface Scale {
  readonly x: (place: number) => number
  readonly y: (value: number) => number
  /** Values that the picture has lines for. */
  readonly grid: readonly number[]
}

function createScale(series: readonly Series[], length: number, { width, height }: Size): Scale {
  const numbers = series.flatMap(({ data }) => data.map(Number))
  const top = roundUp(Math.max(1e-9, ...numbers))
  const low = Math.min(0, ...numbers)
  const bottom = low < 0 ? -roundUp(-low) : 0
  return {
    x: (place) => LEFT + (length < 2 ? 0.5 : place / (length - 1)) * (width - LEFT - RIGHT),
    y: (value) => TOP + (1 - (value - bottom) / (top - bottom)) * (height - TOP - BOTTOM),
    grid: [0, 0.25, 0.5, 0.75, 1].map((share) => bottom + share * (top - bottom)),
  }
}

interface LineProps {
  readonly series: Series
  /** Number of the colour. */
  readonly color: number
  readonly labels: readonly string[]
  readonly scale: Scale
  readonly onPoint: ((place: number) => void) | undefined
}

function Line({ series, color, labels, scale, onPoint }: LineProps) {
  const { x, y } = scale
  const radius = labels.length > CROWDED ? 1.5 : 3
  return (
    <g className={`series s${color}`} data-previous={series.isPrevious || undefined}>
      <polyline points={series.data.map((value, place) => `${x(place)},${y(value)}`).join(" ")} />
      {series.data.map((value, place) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard one chooses in the table below the chart
        <circle
          key={labels[place]}
          cx={x(place)}
          cy={y(value)}
          r={radius}
          data-chosen={onPoint !== undefined || undefined}
          onClick={() => onPoint?.(place)}
        >
          <title>{`${series.label}, ${labels[place]}: ${writeNumber(value)}`}</title>
        </circle>
      ))}
    </g>
  )
}

/** A label at an edge of the picture stays within it. */
const toAnchor = (place: number, length: number): "middle" | "end" =>
  length > 1 && place === length - 1 ? "end" : "middle"

function nameWithTotal({ label, count, aggregated_value }: Series): string {
  const total = count ?? aggregated_value
  return total === undefined ? label : `${label}: ${writeNumber(total)}`
}

interface LineChartProps {
  readonly series: readonly Series[]
  /** Pixels of the drawing; it is scaled to the room that there is. */
  readonly width?: number
  readonly height?: number
  /** What a click on a point of a series is for. */
  readonly onPoint?: (series: number, place: number) => void
}

/** One line a series over its days or labels; the first ten series. */
export function LineChart({ series, width = 640, height = 280, onPoint }: LineChartProps) {
  const [pointed, setPointed] = useState<number | null>(null)
  const shown = series.slice(0, MAX_SERIES)
  const labels = shown[0]?.labels ?? shown[0]?.days ?? []
  const scale = createScale(shown, labels.length, { width, height })
  const every = Math.ceil(labels.length / MAX_LABELS)
  const point = ({ clientX, currentTarget }: MouseEvent<SVGElement>): void => {
    const { left, width: drawn } = currentTarget.getBoundingClientRect()
    const share = (((clientX - left) / drawn) * width - LEFT) / (width - LEFT - RIGHT)
    const place = Math.round(share * (labels.length - 1))
    setPointed(place >= 0 && place < labels.length ? place : null)
  }
  return (
    <figure className="line-chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Line chart"
        onMouseMove={point}
        onMouseLeave={() => setPointed(null)}
      >
        {scale.grid.map((value) => (
          <g key={value}>
            <line className="grid" x1={LEFT} x2={width - RIGHT} y1={scale.y(value)} y2={scale.y(value)} />
            <text x={LEFT - 8} y={scale.y(value) + 4} textAnchor="end">
              {writeNumber(value)}
            </text>
          </g>
        ))}
        {labels.map((label, place) =>
          place % every === 0 ? (
            <text key={label} x={scale.x(place)} y={height - 8} textAnchor={toAnchor(place, labels.length)}>
              {writeDay(label)}
            </text>
          ) : null,
        )}
        {pointed !== null && (
          <line className="grid" x1={scale.x(pointed)} x2={scale.x(pointed)} y1={TOP} y2={height - BOTTOM} />
        )}
        {shown.map((one, at) => (
          <Line
            key={at}
            series={one}
            color={at}
            labels={labels}
            scale={scale}
            onPoint={onPoint && ((place) => onPoint(at, place))}
          />
        ))}
      </svg>
      {pointed !== null && (
        <div className="pointed" data-left={pointed > labels.length / 2 || undefined} aria-hidden="true">
          <strong>{writeDay(labels[pointed] ?? "")}</strong>
          {shown.map((one, at) => (
            <span key={at} className={`s${at}`}>
              {one.label}: {writeNumber(one.data[pointed] ?? 0)}
            </span>
          ))}
        </div>
      )}
      <ul className="legend">
        {shown.map((one, at) => (
          <li key={at} className={`s${at}`}>
            {nameWithTotal(one)}
          </li>
        ))}
        {series.length > shown.length ? <li>and {series.length - shown.length} more</li> : null}
      </ul>
    </figure>
  )
}
