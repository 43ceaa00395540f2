import "./diff.css"
import { Code, Stack, Text } from "@mantine/core"
import { diffLines } from "./diff-lines"

const SIGNS = { same: " ", gone: "−", new: "+" } as const

const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "not known")

interface DiffProps {
  /** What is compared, as in "filters". */
  readonly label: string
  readonly before: unknown
  readonly after: unknown
}

/** Two values beside each other, as lines that went and lines that came. */
export function Diff({ label, before, after }: DiffProps) {
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Text size="xs" fw={500}>
        {label}
      </Text>
      <Code block className="diff" tabIndex={0}>
        {diffLines(toText(before), toText(after)).map(({ kind, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names and do not move.
          <span key={at} className={kind}>{`${SIGNS[kind]} ${text}\n`}</span>
        ))}
      </Code>
    </Stack>
  )
}
