interface ChoiceProps {
  readonly text: string
  /** What choosing it is for; it is only text when absent. */
  readonly onClick: (() => void) | undefined
}

/** A value in a picture, which can be chosen where somebody wants to know what is behind it. */
export function Choice({ text, onClick }: ChoiceProps) {
  if (onClick === undefined) return <span>{text}</span>
  return (
    <button type="button" className="choice" onClick={onClick}>
      {text}
    </button>
  )
}
