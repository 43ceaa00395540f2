import type { FunnelStep } from "./drawable"
import { writeNumber } from "./numbers"

function Steps({ steps }: { readonly steps: readonly FunnelStep[] }) {
  const first = steps[0]?.count ?? 0
  const title = steps[0]?.breakdown_value
  return (
    <>
      {title === undefined ? null : <h3>{[title].flat().join(", ")}</h3>}
      {steps.map(({ name, custom_name, count }, at) => {
        const share = first === 0 ? 0 : (count / first) * 100
        return (
          <div key={at} className="step" style={{ "--share": `${share}%` } as React.CSSProperties}>
            <span>{custom_name || name || "all events"}</span>
            <span>{`${writeNumber(count)} (${writeNumber(share)} %)`}</span>
          </div>
        )
      })}
    </>
  )
}

/** Bars of the people that reach each step, one group for each breakdown. */
export function FunnelBars({ funnels }: { readonly funnels: readonly (readonly FunnelStep[])[] }) {
  return (
    <figure>
      {funnels.map((steps, at) => (
        <Steps key={at} steps={steps} />
      ))}
    </figure>
  )
}
