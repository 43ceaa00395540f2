import { Button, CopyButton, Group, TextInput } from "@mantine/core"

interface ShownOnceProps {
  /** What it is, as in "Link". */
  readonly what: string
  readonly value: string
}

/** A link or a key that the server does not show again, to be copied. */
export const ShownOnce = ({ what, value }: ShownOnceProps) => (
  <Group gap="xs" align="flex-end">
    <TextInput label={`${what}, shown this once`} readOnly flex={1} value={value} />
    <CopyButton value={value}>
      {({ copy, copied }) => <Button onClick={copy}>{copied ? "Copied" : "Copy"}</Button>}
    </CopyButton>
  </Group>
)
