import { Button, Fieldset, Group, NativeSelect, SimpleGrid, TagsInput } from "@mantine/core"
import { useState } from "react"
import type { CapturePipeline, CaptureRestrictionInput, EventSettingsQuery } from "../../graph/generated/graphql"
import { AddButton } from "../../ui/add-button"
import { Problem } from "../../ui/problem"
import { Section } from "./section"
import { Setting } from "./setting"

type Stored = NonNullable<NonNullable<EventSettingsQuery["project"]>["settings"]["captureRestrictions"]>[number]

const TYPES = [
  { value: "DROP_EVENT", label: "are dropped" },
  { value: "SKIP_PERSON_PROCESSING", label: "change no person" },
] as const

const PIPELINES = [
  { value: "", label: "Events and recordings" },
  { value: "ANALYTICS", label: "Events" },
  { value: "SESSION_RECORDINGS", label: "Recordings" },
] as const satisfies readonly { readonly value: CapturePipeline | ""; readonly label: string }[]

const LISTS = [
  { list: "eventNames", label: "of these names" },
  { list: "distinctIds", label: "of these distinct ids" },
  { list: "sessionIds", label: "of these sessions" },
  { list: "eventUuids", label: "with these UUIDs" },
] as const

/** Lists that are empty are left out: they hold for everything, and say nothing. */
const toInput = ({ type, pipelines, ...lists }: Stored | CaptureRestrictionInput): CaptureRestrictionInput => ({
  type,
  ...(pipelines?.length && { pipelines }),
  ...Object.fromEntries(LISTS.flatMap(({ list }) => (lists[list]?.length ? [[list, lists[list]]] : []))),
})

/** Events that are not taken as all others: those that fit every list of a restriction. */
export function CaptureRestrictions({ restrictions }: { readonly restrictions: readonly Stored[] }) {
  const [stored] = useState(() => restrictions.map(toInput))
  return (
    <Section
      title="Restrictions"
      note="What arrives and fits all that a restriction lists is treated otherwise; without a list, everything is."
    >
      <Setting stored={stored} toInput={(changed) => ({ settings: { captureRestrictions: changed.map(toInput) } })}>
        {({ value, onChange, error }) => (
          <>
            {value.map((restriction, at) => (
              <Restriction
                // biome-ignore lint/suspicious/noArrayIndexKey: a restriction is known by nothing but its place.
                key={at}
                number={at + 1}
                restriction={restriction}
                onChange={(changed) => onChange(value.with(at, changed))}
                onRemove={() => onChange(value.toSpliced(at, 1))}
              />
            ))}
            <AddButton onClick={() => onChange([...value, { type: "DROP_EVENT" }])}>Add a restriction</AddButton>
            <Problem of={error} />
          </>
        )}
      </Setting>
    </Section>
  )
}

interface RestrictionProps {
  readonly number: number
  readonly restriction: CaptureRestrictionInput
  readonly onChange: (restriction: CaptureRestrictionInput) => void
  readonly onRemove: () => void
}

function Restriction({ number, restriction, onChange, onRemove }: RestrictionProps) {
  const { type, pipelines } = restriction
  return (
    <Fieldset legend={`Restriction ${number}`}>
      <Group gap="xs" align="flex-end" mb="xs">
        <NativeSelect
          label="What"
          data={PIPELINES}
          value={pipelines?.length === 1 ? pipelines[0] : ""}
          onChange={({ currentTarget: { value } }) => {
            const chosen = PIPELINES.find((one) => one.value === value)?.value ?? ""
            onChange({ ...restriction, pipelines: chosen === "" ? null : [chosen] })
          }}
        />
        <NativeSelect
          label="What becomes of them"
          data={TYPES}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...restriction, type: TYPES.find((one) => one.value === value)?.value ?? type })
          }
        />
        <Button variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove restriction ${number}`}>
          Remove
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {LISTS.map(({ list, label }) => (
          <TagsInput
            key={list}
            label={label}
            placeholder={restriction[list]?.length ? undefined : "any"}
            acceptValueOnBlur
            value={[...(restriction[list] ?? [])]}
            onChange={(chosen) => onChange({ ...restriction, [list]: chosen })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  )
}
