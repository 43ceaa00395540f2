import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type SubmitEvent, useState } from "react"
import { createGraph } from "../graph/graph"
import { graphql } from "../graph/graphql"
import { describeFailure } from "../ui/failure"
import { signIn, toCredentials } from "./session"

const WHO_AM_I = graphql(`
  query WhoAmI {
    me {
      email
    }
  }
`)

/** Why a key is not taken; null when it is. */
async function findRefusal(key: string): Promise<string | null> {
  const { client, socket } = createGraph(toCredentials(key), () => undefined)
  const { error } = await client.query(WHO_AM_I, {}).toPromise()
  await socket.dispose()
  return error === undefined ? null : describeFailure(error).title
}

/** Asks for a personal API key, and goes on to the page that was wanted. */
export function SignIn() {
  const { next } = useSearch({ from: "/sign-in" })
  const navigate = useNavigate()
  const [key, setKey] = useState("")
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isChecking, setChecking] = useState(false)

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setChecking(true)
    const found = await findRefusal(key.trim())
    setChecking(false)
    setRefusal(found)
    if (found !== null) return
    signIn(key.trim())
    await navigate({ href: next ?? "/", replace: true })
  }

  return (
    <main className="sign-in">
      <Paper component="form" withBorder p="xl" radius="md" onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Title order={1} size="h3">
            Sign in to Waymark
          </Title>
          <PasswordInput
            label="Personal API key"
            description="The first start printed it, and keeps it in data/credentials.json."
            placeholder="phx_…"
            autoComplete="off"
            autoFocus
            required
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          {refusal !== null && (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          )}
          <Button type="submit" loading={isChecking} fullWidth>
            Sign in
          </Button>
          <Text size="xs" c="dimmed">
            The key stays in this tab and is gone when you close it.
          </Text>
        </Stack>
      </Paper>
    </main>
  )
}
