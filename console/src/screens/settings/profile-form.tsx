import { Button, Group, Stack, Text, TextInput } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import type { AccountQuery } from "../../graph/generated/graphql"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { UPDATE_ME } from "./account.queries"
import { Section } from "./section"

/** One's own name, as colleagues see it. */
export function ProfileForm({ me }: { readonly me: NonNullable<AccountQuery["me"]> }) {
  const [firstName, setFirstName] = useState(me.firstName)
  const [lastName, setLastName] = useState(me.lastName)
  const [isSaved, setSaved] = useState(false)
  const { change, isChanging, problem } = useChange(UPDATE_ME, ({ updateMe }) => updateMe)
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setSaved((await change({ input: { firstName, lastName } })) !== null)
  }
  return (
    <Section title="You" note={me.email}>
      <form onSubmit={(event) => void save(event)}>
        <Stack gap="sm" maw={560}>
          <Group grow align="flex-start">
            <TextInput
              label="First name"
              autoComplete="given-name"
              value={firstName}
              onChange={({ currentTarget }) => setFirstName(currentTarget.value)}
            />
            <TextInput
              label="Last name"
              autoComplete="family-name"
              value={lastName}
              onChange={({ currentTarget }) => setLastName(currentTarget.value)}
            />
          </Group>
          <Problem of={problem} />
          <Group gap="sm">
            <Button type="submit" variant="default" loading={isChanging}>
              Save the name
            </Button>
            {isSaved && (
              <Text size="xs" c="dimmed" role="status">
                Saved
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
