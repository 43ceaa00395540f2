import type { Series } from "./drawable"
import { roundUp, writeNumber } from "./numbers"

const WIDTH = 640
const HEIGHT = 280
const LEFT = 56
const RIGHT = 16
const TOP = 12
const BOTTOM = 28
const MAX_SERIES = 10
const MAX_LABELS = 6

interface Scale {
  readonly x: (place: number) => number
  readonly y: (value: number) => number
  /** Values that the picture has lines for. */
  readonly grid: readonly number[]
}

function createScale(series: readonly Series[], length: number): Scale {
  const numbers = series.flatMap(({ data }) => data.map(Number))
  const top = roundUp(Math.max(1e-9, ...numbers))
  const low = Math.min(0, ...numbers)
  const bottom = low < 0 ? -roundUp(-low) : 0
  return {
    x: (place) => LEFT + (length < 2 ? 0.5 : place / (length - 1)) * (WIDTH - LEFT - RIGHT),
    y: (value) => TOP + (1 - (value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM),
    grid: [0, 0.25, 0.5, 0.75, 1].map((share) => bottom + share * (top - bottom)),
  }
}

function Line({ series, color, labels, scale }: LineProps) {
  const { x, y } = scale
  return (
    <g className={`series s${color}`}>
      <polyline points={series.data.map((value, place) => `${x(place)},${y(value)}`).join(" ")} />
      {series.data.map((value, place) => (
        <circle key={labels[place]} cx={x(place)} cy={y(value)} r={3}>
          <title>{`${series.label}, ${labels[place]}: ${writeNumber(value)}`}</title>
        </circle>
      ))}
    </g>
  )
}

interface LineProps {
  readonly series: Series
  /** Number of the colour. */
  readonly color: number
  readonly labels: readonly string[]
  readonly scale: Scale
}

function nameWithTotal({ label, count, aggregated_value }: Series): string {
  const total = count ?? aggregated_value
  return total === undefined ? label : `${label}: ${writeNumber(total)}`
}

/** One line a series over its days or labels; the first ten series. */
export function LineChart({ series }: { readonly series: readonly Series[] }) {
  const shown = series.slice(0, MAX_SERIES)
  const labels = shown[0]?.labels ?? shown[0]?.days ?? []
  const scale = createScale(shown, labels.length)
  const every = Math.ceil(labels.length / MAX_LABELS)
  return (
    <figure>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Line chart">
        {scale.grid.map((value) => (
          <g key={value}>
            <line className="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={scale.y(value)} y2={scale.y(value)} />
            <text x={LEFT - 8} y={scale.y(value) + 4} textAnchor="end">
              {writeNumber(value)}
            </text>
          </g>
        ))}
        {labels.map((label, place) =>
          place % every === 0 ? (
            <text key={label} x={scale.x(place)} y={HEIGHT - 8} textAnchor="middle">
              {label}
            </text>
          ) : null,
        )}
        {shown.map((one, at) => (
          <Line key={at} series={one} color={at} labels={labels} scale={scale} />
        ))}
      </svg>
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
