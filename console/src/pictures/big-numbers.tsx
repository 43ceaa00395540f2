import { Choice } from "./choice"

/** A number to be read from afar. */
export interface BigNumber {
  readonly name: string
  readonly text: string
  /** How it has changed, as text, and whether that is good. */
  readonly change?: { readonly text: string; readonly isGood: boolean }
}

interface BigNumbersProps {
  readonly numbers: readonly BigNumber[]
  /** Makes buttons of the numbers. */
  readonly onNumber?: (at: number) => void
}

/** Large numbers beside each other. */
export function BigNumbers({ numbers, onNumber }: BigNumbersProps) {
  return (
    <dl className="big-numbers">
      {numbers.map(({ name, text, change }, at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>
            <Choice text={text} onClick={onNumber && (() => onNumber(at))} />
            {change !== undefined && <small data-good={change.isGood}>{change.text}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
