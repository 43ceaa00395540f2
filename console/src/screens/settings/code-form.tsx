import { Button, Stack, TextInput } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import { Problem } from "../../ui/problem"

interface CodeFormProps {
  readonly label: string
  readonly button: string
  readonly isSending: boolean
  readonly problem: string | null
  readonly onCode: (code: string) => void
}

/** Asks for a code of the authenticator. */
export function CodeForm({ label, button, isSending, problem, onCode }: CodeFormProps) {
  const [code, setCode] = useState("")
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onCode(code)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={label}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          data-autofocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Problem of={problem} />
        <Button type="submit" loading={isSending} style={{ alignSelf: "flex-end" }}>
          {button}
        </Button>
      </Stack>
    </form>
  )
}
