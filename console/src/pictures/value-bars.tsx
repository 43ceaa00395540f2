import { Choice } from "./choice"
import { writeNumber } from "./numbers"

/** A value with its name. */
export interface NamedValue {
  readonly name: string
  readonly value: number
}

interface ValueBarsProps {
  readonly values: readonly NamedValue[]
  /** Makes buttons of the values. */
  readonly onValue?: (at: number) => void
}

/** A bar for each value, which compares it with the largest one. */
export function ValueBars({ values, onValue }: ValueBarsProps) {
  const largest = Math.max(0, ...values.map(({ value }) => value))
  return (
    <figure>
      {values.map(({ name, value }, at) => {
        const share = largest === 0 ? 0 : (value / largest) * 100
        return (
          <div key={at} className="step" style={{ "--share": `${share}%` } as React.CSSProperties}>
            <span>{name}</span>
            <Choice text={writeNumber(value)} onClick={onValue && (() => onValue(at))} />
          </div>
        )
      })}
    </figure>
  )
}
