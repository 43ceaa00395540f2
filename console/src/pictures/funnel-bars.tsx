import { Choice } from "./choice"
import type { FunnelStep } from "./drawable"
import { writeDuration, writeNumber } from "./numbers"

/** A step that was chosen, or those who left before it. */
export interface ChosenStep {
  readonly funnel: number
  /** From 0. */
  readonly step: number
  readonly isDropOff: boolean
}

interface FunnelBarsProps {
  readonly funnels: readonly (readonly FunnelStep[])[]
  /** Makes buttons of the numbers of people. */
  readonly onChosen?: (chosen: ChosenStep) => void
}

/** Bars of the people that reach each step, with those who left before it; one group for each breakdown. */
export function FunnelBars({ funnels, onChosen }: FunnelBarsProps) {
  return (
    <figure>
      {funnels.map((steps, funnel) => {
        const first = steps[0]?.count ?? 0
        const title = steps[0]?.breakdown_value
        const choose = (step: number, isDropOff: boolean) => onChosen && (() => onChosen({ funnel, step, isDropOff }))
        return (
          <section key={funnel}>
            {title === undefined ? null : <h3>{[title].flat().join(", ")}</h3>}
            {steps.map(({ name, custom_name, count, medianSeconds }, step) => {
              const share = first === 0 ? 0 : (count / first) * 100
              const left = (steps[step - 1]?.count ?? count) - count
              return (
                <div key={step}>
                  {left > 0 && (
                    <p className="between">
                      <Choice text={`${writeNumber(left)} left`} onClick={choose(step, true)} />
                      {medianSeconds ? <span>half within {writeDuration(medianSeconds)}</span> : null}
                    </p>
                  )}
                  <div className="step" style={{ "--share": `${share}%` } as React.CSSProperties}>
                    <span>{custom_name || name || "all events"}</span>
                    <Choice text={`${writeNumber(count)} (${writeNumber(share)} %)`} onClick={choose(step, false)} />
                  </div>
                </div>
              )
            })}
          </section>
        )
      })}
    </figure>
  )
}
