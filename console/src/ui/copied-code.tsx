import { Button, Code, CopyButton } from "@mantine/core"

interface CopiedCodeProps {
  /** What it is, for the button. */
  readonly label: string
  readonly code: string
}

/** A text to be copied, with the button that does it. */
export function CopiedCode({ label, code }: CopiedCodeProps) {
  return (
    <div className="copied-code">
      <Code block tabIndex={0}>
        {code}
      </Code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-label={`Copy ${label}`}>
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}
