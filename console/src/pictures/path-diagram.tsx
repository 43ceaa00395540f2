import { ScrollArea } from "@mantine/core"
import { sankey, sankeyJustify, sankeyLinkHorizontal } from "d3-sankey"
import { writeNumber } from "./numbers"

const HEIGHT = 420
const LABEL = 150

/** How many people went from one point to the next. */
export interface Link {
  readonly source: string
  readonly target: string
  readonly count: number
}

interface Point {
  /** Which no other point has, also of the same name at another step. */
  readonly key: string
  readonly name: string
}

interface PathDiagramProps {
  readonly points: readonly Point[]
  readonly links: readonly Link[]
  readonly width: number
  readonly onLink?: (link: Link) => void
}

/** Paths through what people did, step by step from the left: the wider, the more of them went there. */
export function PathDiagram({ points, links, width, onLink }: PathDiagramProps) {
  const wide = Math.max(width, 640)
  const layOut = sankey<Point, Link>()
    .nodeId(({ key }) => key)
    .nodeAlign(sankeyJustify)
    .nodeWidth(6)
    .nodePadding(18)
    .extent([
      [1, 8],
      [wide - LABEL, HEIGHT - 8],
    ])
  // It writes into what it is given.
  const graph = layOut({
    nodes: points.map((point) => ({ ...point })),
    links: links.map((link) => ({ ...link, value: link.count })),
  })
  const draw = sankeyLinkHorizontal<Point, Link>()
  return (
    <ScrollArea viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Diagram" }}>
      <svg viewBox={`0 0 ${wide} ${HEIGHT}`} style={{ minWidth: wide }} role="img" aria-label="Paths">
        {graph.links.map((link, at) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard one chooses in the table below the diagram
          <path
            key={at}
            className="path"
            d={draw(link) ?? ""}
            strokeWidth={Math.max(1, link.width ?? 0)}
            onClick={() => links[at] && onLink?.(links[at])}
          >
            <title>{writeNumber(link.value)}</title>
          </path>
        ))}
        {graph.nodes.map(({ key, name, value, x0 = 0, x1 = 0, y0 = 0, y1 = 0 }) => (
          <g key={key}>
            <rect className="stop" x={x0} y={y0} width={x1 - x0} height={Math.max(1, y1 - y0)} />
            <text x={x1 + 6} y={(y0 + y1) / 2 + 4}>
              {name.length > 20 ? `${name.slice(0, 19)}…` : name} {writeNumber(value ?? 0)}
              <title>{name}</title>
            </text>
          </g>
        ))}
      </svg>
    </ScrollArea>
  )
}
