import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, type SubmitEvent, useState } from "react"
import { beginSession, type Refusal } from "./session"

/** Something that is asked for. */
export interface Field {
  /** As the server calls it. */
  readonly name: string
  readonly label: string
  readonly note?: string
  /** What browsers and password managers know it by. */
  readonly autoComplete: "username" | "name" | "current-password" | "new-password" | "one-time-code"
}

export const EMAIL: Field = { name: "email", label: "E-mail", autoComplete: "username" }
export const NAME: Field = { name: "name", label: "Name", autoComplete: "name" }
export const PASSWORD: Field = { name: "password", label: "Password", autoComplete: "current-password" }
export const NEW_PASSWORD: Field = {
  name: "password",
  label: "Password",
  note: "At least 10 characters.",
  autoComplete: "new-password",
}

/** Asked for when the server wants it: of those who have a second factor. */
const CODE: Field = {
  name: "code",
  label: "Code",
  note: "What your authenticator shows, or one of your recovery codes.",
  autoComplete: "one-time-code",
}

interface SessionCardProps {
  readonly title: string
  readonly note?: string | undefined
  readonly children: ReactNode
}

/** What a page of somebody who is not signed in consists of. */
export function SessionCard({ title, note, children }: SessionCardProps) {
  return (
    <main className="sign-in">
      <Paper withBorder p="xl" radius="md">
        <Stack gap="md">
          <Title order={1} size="h3">
            {title}
          </Title>
          {note !== undefined && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
          {children}
        </Stack>
      </Paper>
    </main>
  )
}

interface SessionFormProps {
  /** Where it is sent. */
  readonly path: string
  readonly fields: readonly Field[]
  /** What is sent besides, the token of a link. */
  readonly token?: string | undefined
  readonly button: string
  /** The page that was wanted. */
  readonly next?: string | undefined
}

/** Asks for what begins a session, and goes on to the page that was wanted. */
export function SessionForm({ path, fields: given, token, button, next = "/" }: SessionFormProps) {
  const navigate = useNavigate()
  const [isCodeAsked, setCodeAsked] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [isSending, setSending] = useState(false)
  const fields = isCodeAsked ? [...given, CODE] : given
  const hasField = fields.some(({ name }) => name === refusal?.attr)

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const typed = Object.fromEntries(new FormData(event.currentTarget))
    setSending(true)
    const found = await beginSession(path, token === undefined ? typed : { ...typed, token })
    setSending(false)
    // What is asked for the first time was not typed wrongly.
    setRefusal(found?.attr === CODE.name && !isCodeAsked ? null : found)
    if (found?.attr === CODE.name) setCodeAsked(true)
    if (found === null) await navigate({ href: next, replace: true })
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {fields.map(({ name, label, note, autoComplete }, index) => {
          const Input = name === "password" ? PasswordInput : TextInput
          return (
            <Input
              key={name}
              name={name}
              label={label}
              description={note}
              autoComplete={autoComplete}
              type={name === "password" ? "password" : name === "email" ? "email" : "text"}
              error={refusal?.attr === name ? refusal.detail : undefined}
              autoFocus={index === 0 || name === CODE.name}
              required
              withAsterisk={false}
            />
          )
        })}
        {refusal !== null && !hasField && (
          <Alert color="red" role="alert">
            {refusal.detail}
          </Alert>
        )}
        <Button type="submit" loading={isSending} fullWidth>
          {button}
        </Button>
      </Stack>
    </form>
  )
}
