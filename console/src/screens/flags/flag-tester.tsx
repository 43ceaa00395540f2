import { Alert, Badge, Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { FlagReasons } from "./flag-reasons"
import { EXPLAIN_FLAG } from "./flags.queries"

const FROM = "/project/$project/flags/$key"

/** Tries a flag on a person: what they get, and how each condition came out. */
export function FlagTester({ flagKey }: { readonly flagKey: string }) {
  const { person = "", properties = "" } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [wanted, setWanted] = useState({ person, properties })
  const isWrong = readProperties(wanted.properties) === null
  const ask = (event: FormEvent): void => {
    event.preventDefault()
    if (!isWrong)
      void navigate({
        search: (old) => ({ ...old, person: wanted.person, properties: wanted.properties.trim() || undefined }),
      })
  }
  return (
    <Stack gap="md" maw={860}>
      <form onSubmit={ask}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Distinct id"
            placeholder="Who asks"
            required
            w={260}
            value={wanted.person}
            onChange={({ currentTarget: { value } }) => setWanted({ ...wanted, person: value })}
          />
          <Textarea
            label="Properties that win over the stored ones"
            placeholder='{"plan": "team"}'
            autosize
            w={320}
            error={isWrong ? "Write a JSON object." : undefined}
            value={wanted.properties}
            onChange={({ currentTarget: { value } }) => setWanted({ ...wanted, properties: value })}
          />
          <Button type="submit">Try</Button>
        </Group>
      </form>
      {person === "" ? (
        <Text size="sm" c="dimmed">
          Name a person to see what they get and why. Nothing is recorded by it.
        </Text>
      ) : (
        <Explanation flagKey={flagKey} person={person} properties={readProperties(properties) ?? undefined} />
      )}
    </Stack>
  )
}

interface ExplanationProps {
  readonly flagKey: string
  readonly person: string
  readonly properties: Readonly<Record<string, unknown>> | undefined
}

function Explanation({ flagKey, person, properties }: ExplanationProps) {
  const project = useProject()
  const user = { distinctId: person, personProperties: properties }
  const answer = useQuery({
    query: EXPLAIN_FLAG,
    variables: { projectId: project.id, flag: flagKey, for: user },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ explainFlag: explanation }) => {
        const decision = explanation?.decision
        if (!explanation || !decision)
          return <Alert color="gray">The flag is off, so nobody gets it. Switch it on above.</Alert>
        return (
          <Stack gap="md">
            <Group gap="sm">
              <Badge size="lg" variant="light" color={decision.enabled ? "green" : "gray"}>
                {decision.variant ?? (decision.enabled ? "On" : "Off")}
              </Badge>
              <Text size="sm">{decision.reason.description}</Text>
            </Group>
            <FlagReasons conditions={explanation.conditions} />
          </Stack>
        )
      }}
    </Answer>
  )
}

/** The object that a text is; an empty one for no text, null for anything else. */
function readProperties(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === "") return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
