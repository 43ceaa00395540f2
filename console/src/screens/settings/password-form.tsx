import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { CHANGE_PASSWORD } from "./account.queries"
import { Section } from "./section"

interface PasswordFormProps {
  readonly email: string
  readonly onChanged: () => void
}

/** Changes the password, by the one before. */
export function PasswordForm({ email, onChanged }: PasswordFormProps) {
  const [currentPassword, setCurrent] = useState("")
  const [newPassword, setNew] = useState("")
  const [endedCount, setEndedCount] = useState<number | null>(null)
  const { change, isChanging, problem } = useChange(CHANGE_PASSWORD, (data) => data.changePassword)
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const made = await change({ input: { currentPassword, newPassword } })
    setEndedCount(made?.changePassword?.endedSessionCount ?? null)
    if (made === null) return
    setCurrent("")
    setNew("")
    onChanged()
  }
  return (
    <Section title="Password" note="Another one signs you out in every other browser.">
      <form onSubmit={(event) => void save(event)}>
        <Stack gap="sm" maw={560}>
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <Group grow align="flex-start">
            <PasswordInput
              label="Present password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={currentPassword}
              onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
            />
            <PasswordInput
              label="New password"
              autoComplete="new-password"
              required
              withAsterisk={false}
              value={newPassword}
              onChange={({ currentTarget }) => setNew(currentTarget.value)}
            />
          </Group>
          <Problem of={problem} />
          <Group gap="sm">
            <Button type="submit" variant="default" loading={isChanging}>
              Change the password
            </Button>
            {endedCount !== null && (
              <Text size="xs" c="dimmed" role="status">
                {`Changed. Other browsers that were signed out: ${endedCount.toLocaleString()}`}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
