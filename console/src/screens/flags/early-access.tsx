import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import { useQuery } from "urql"
import type { EarlyAccessStage, FlagQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { CONDITION_REACH, UPDATE_FLAG } from "./flags.queries"

const STAGES: readonly { readonly value: EarlyAccessStage; readonly label: string }[] = [
  { value: "DRAFT", label: "Draft: nobody hears of it" },
  { value: "CONCEPT", label: "Concept: users say that they want it" },
  { value: "ALPHA", label: "Alpha: whoever enrols has it" },
  { value: "BETA", label: "Beta: whoever enrols has it" },
  { value: "GENERAL_AVAILABILITY", label: "Generally available" },
  { value: "ARCHIVED", label: "Archived: nobody hears of it any more" },
]

const NEW = { name: "", description: "", stage: "BETA", documentationUrl: "" } as const

interface EarlyAccessProps {
  readonly flag: NonNullable<FlagQuery["featureFlag"]>
}

/** The feature behind a flag that users may switch on for themselves: what they read of it, and how many did. */
export function EarlyAccess({ flag: { number, key, version, filters } }: EarlyAccessProps) {
  const { id: projectId } = useProject()
  const stored = filters?.earlyAccess ?? null
  const { name, description, stage, documentationUrl } = stored ?? NEW
  const [form, setForm] = useState({
    name,
    description: description ?? "",
    stage: stage ?? "BETA",
    documentationUrl: documentationUrl ?? "",
  })
  const { change, isChanging, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  const save = (earlyAccess: typeof form | null): void => {
    const flag = { projectId, id: String(number), version }
    void change({ input: { ...flag, filters: { raw: filters?.raw, earlyAccess } } })
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    save(form)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={560}>
        <Text size="sm" c="dimmed">
          Your pages list such features by getEarlyAccessFeatures, and let users enrol by
          updateEarlyAccessFeatureEnrollment. Whoever enrolled has the flag, whatever its conditions say.
        </Text>
        {stored !== null && <Enrolled flagKey={key} />}
        <TextInput
          label="Name"
          description="What users read."
          required
          value={form.name}
          onChange={({ currentTarget: { value } }) => setForm({ ...form, name: value })}
        />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          value={form.description}
          onChange={({ currentTarget: { value } }) => setForm({ ...form, description: value })}
        />
        <NativeSelect
          label="Stage"
          data={STAGES}
          value={form.stage}
          onChange={({ currentTarget: { value } }) =>
            setForm({ ...form, stage: STAGES.find((one) => one.value === value)?.value ?? form.stage })
          }
        />
        <TextInput
          label="Documentation"
          placeholder="https://…"
          value={form.documentationUrl}
          onChange={({ currentTarget: { value } }) => setForm({ ...form, documentationUrl: value })}
        />
        <Problem of={problem} />
        <Group>
          <Button type="submit" loading={isChanging}>
            {stored === null ? "Offer it" : "Save"}
          </Button>
          {stored !== null && (
            <Button variant="subtle" color="red" onClick={() => save(null)}>
              Offer it no more
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function Enrolled({ flagKey }: { readonly flagKey: string }) {
  const { id: projectId } = useProject()
  const property = { key: `$feature_enrollment/${flagKey}`, operator: "EXACT", value: "true" } as const
  const [{ data }] = useQuery({
    query: CONDITION_REACH,
    variables: { projectId, condition: { properties: [{ person: property }] } },
    requestPolicy: "cache-and-network",
  })
  const reach = data?.conditionReach
  if (!reach) return null
  return (
    <Text size="sm">
      {`${reach.isEstimated ? "About " : ""}${reach.affected.toLocaleString()} of ${reach.total.toLocaleString()} `}
      persons have enrolled
    </Text>
  )
}
