import { SegmentedControl } from "@mantine/core"
import { KINDS, type Kind } from "../question/question"

const NAMES: Readonly<Record<Kind, string>> = {
  trends: "Trends",
  funnel: "Funnel",
  retention: "Retention",
  paths: "Paths",
  stickiness: "Stickiness",
  lifecycle: "Lifecycle",
  web: "Web overview",
}
const OPTIONS = KINDS.map((value) => ({ value, label: NAMES[value] }))

interface KindTabsProps {
  readonly kind: Kind
  readonly onChange: (kind: Kind) => void
}

/** The kinds of questions, one of which is asked. */
export function KindTabs({ kind, onChange }: KindTabsProps) {
  return (
    <div className="kind-tabs">
      <SegmentedControl aria-label="Kind of insight" size="xs" data={OPTIONS} value={kind} onChange={onChange} />
    </div>
  )
}
