import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { useQuery } from "urql"
import type { FlagQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { useChange } from "../../ui/use-change"
import { ConditionEditor } from "./condition-editor"
import { type Condition, NEW_CONDITION, readDefinition, writeDefinition } from "./definition"
import { FLAG_AUDIENCE, UPDATE_FLAG } from "./flags.queries"

interface FlagRulesProps {
  readonly flag: NonNullable<FlagQuery["featureFlag"]>
}

/** The release conditions of a flag, and how many persons each is about. */
export function FlagRules({ flag: { number, key, version, filters } }: FlagRulesProps) {
  const project = useProject()
  const [stored] = useState(() => readDefinition(filters?.raw))
  const [conditions, setConditions] = useState(stored.conditions)
  const [{ data }] = useQuery({ query: FLAG_AUDIENCE, variables: { projectId: project.id, key } })
  const { change, isChanging, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  const isChanged = conditions !== stored.conditions
  const replace = (index: number, condition: Condition | null): void =>
    setConditions(
      conditions.flatMap((one, position) => (position !== index ? [one] : condition === null ? [] : [condition])),
    )
  const save = () => {
    const raw = writeDefinition({ ...stored, conditions })
    return change({ input: { projectId: project.id, id: String(number), version, filters: { raw } } })
  }
  return (
    <Stack gap="md" maw={860}>
      {conditions.length === 0 && <Text size="sm">Nobody gets it: there is no condition.</Text>}
      {conditions.map((condition, index) => (
        <ConditionEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by nothing but its place.
          key={index}
          number={index + 1}
          condition={condition}
          reach={isChanged ? undefined : data?.featureFlag?.audience?.find((reach) => reach.index === index)}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => replace(index, null)}
        />
      ))}
      {problem !== null && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group>
        <Button variant="default" onClick={() => setConditions([...conditions, NEW_CONDITION])}>
          Add a condition
        </Button>
        <Button disabled={!isChanged} loading={isChanging} onClick={() => void save()}>
          Save
        </Button>
        {isChanged && (
          <Button variant="subtle" onClick={() => setConditions(stored.conditions)}>
            Undo
          </Button>
        )}
      </Group>
    </Stack>
  )
}
