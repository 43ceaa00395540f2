import { Alert, Badge, Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Time } from "../../ui/time"
import { readWallClock, writeWallClock } from "../../ui/wall-clock"
import { FlagReasons } from "./flag-reasons"
import { EXPLAIN_FLAG } from "./flags.queries"

const FROM = "/project/$project/flags/$key"

/** Tries a flag on a person, as of now or of a past moment: what they get, and how each condition came out. */
export function FlagTester({ flagKey }: { readonly flagKey: string }) {
  const { timezone } = useProject()
  const { person = "", properties = "", at } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [wanted, setWanted] = useState(() => ({
    person,
    properties,
    at: at === undefined ? "" : writeWallClock(Date.parse(at), timezone),
  }))
  const isWrong = readProperties(wanted.properties) === null
  const ask = (event: FormEvent): void => {
    event.preventDefault()
    if (!isWrong)
      void navigate({
        search: (old) => ({
          ...old,
          person: wanted.person,
          properties: wanted.properties.trim() || undefined,
          at: readWallClock(wanted.at, timezone) ?? undefined,
        }),
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
            w={300}
            error={isWrong ? "Write a JSON object." : undefined}
            value={wanted.properties}
            onChange={({ currentTarget: { value } }) => setWanted({ ...wanted, properties: value })}
          />
          <TextInput
            type="datetime-local"
            label="As of"
            w={200}
            value={wanted.at}
            onChange={({ currentTarget: { value } }) => setWanted({ ...wanted, at: value })}
          />
          <Button type="submit">Try</Button>
        </Group>
      </form>
      {person === "" ? (
        <Text size="sm" c="dimmed">
          Name a person to see what they get and why. Nothing is recorded by it.
        </Text>
      ) : (
        <Explanation flagKey={flagKey} person={person} properties={readProperties(properties) ?? undefined} at={at} />
      )}
    </Stack>
  )
}

interface ExplanationProps {
  readonly flagKey: string
  readonly person: string
  readonly properties: Readonly<Record<string, unknown>> | undefined
  readonly at: string | undefined
}

function Explanation({ flagKey, person, properties, at }: ExplanationProps) {
  const project = useProject()
  const user = { distinctId: person, personProperties: properties }
  const answer = useQuery({
    query: EXPLAIN_FLAG,
    variables: { projectId: project.id, flag: flagKey, for: user, at },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ explainFlag: explanation }) => {
        const decision = explanation?.decision
        if (!explanation || !decision)
          return (
            <Alert color="gray">
              {at === undefined
                ? "The flag is off, so nobody gets it. Switch it on above."
                : "The flag was off then, so nobody got it."}
            </Alert>
          )
        return (
          <Stack gap="md">
            {at !== undefined && <WhatIsOfThen at={at} personAt={explanation.personAt} />}
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

interface WhatIsOfThenProps {
  readonly at: string
  readonly personAt: string | null
}

/** Which facts are those of a past moment, and which are not. */
function WhatIsOfThen({ at, personAt }: WhatIsOfThenProps) {
  return (
    <Text size="sm" c="dimmed">
      As of <Time of={at} />: the rules of then, and the properties of the person
      {personAt === null ? (
        " of now, because no event of this id says what they were"
      ) : (
        <>
          {" "}
          as the event of <Time of={personAt} /> has them
        </>
      )}
      . Cohorts, groups and values that are kept over a login are those of now.
    </Text>
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
