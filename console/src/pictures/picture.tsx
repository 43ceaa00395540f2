import "./pictures.css"
import { FunnelBars } from "./funnel-bars"
import { LineChart } from "./line-chart"
import { readDrawable } from "./read-drawable"
import { RetentionTable } from "./retention-table"
import { RowTable } from "./row-table"
import { RunProgress } from "./run-progress"

/** Draws what a GraphQL answer holds. Values are text nodes, so nothing shown can become markup. */
export function Picture({ data }: { readonly data: unknown }) {
  const drawable = readDrawable(data)
  switch (drawable?.kind) {
    case "lines":
      return <LineChart series={drawable.series} />
    case "funnel":
      return <FunnelBars funnels={drawable.funnels} />
    case "retention":
      return <RetentionTable cohorts={drawable.cohorts} />
    case "table":
      return <RowTable columns={drawable.columns} rows={drawable.rows} />
    case "run":
      return <RunProgress run={drawable.run} />
    default:
      return <p className="hint">Nothing to draw: the text says all.</p>
  }
}
