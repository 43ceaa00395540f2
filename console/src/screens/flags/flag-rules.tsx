import { Button, Group, Select, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import type { FlagQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { useDraft } from "../../ui/use-draft"
import { ConditionEditor, type Subject } from "./condition-editor"
import { type Definition, findFault, NEW_CONDITION, readDefinition, writeDefinition } from "./definition"
import type { FilterKinds } from "./filter-editor"
import { UPDATE_FLAG } from "./flags.queries"
import { VariantsEditor } from "./variants-editor"

const PlanDialog = lazy(async () => ({ default: (await import("./schedule/plan-dialog")).PlanDialog }))

interface FlagRulesProps {
  readonly flag: NonNullable<FlagQuery["featureFlag"]>
  readonly groupTypes: FlagQuery["groupTypes"]
}

/** Who gets a flag and what they get, as it is being written until it is saved. */
export function FlagRules({ flag: { number, version, filters }, groupTypes }: FlagRulesProps) {
  const project = useProject()
  const [stored] = useState(() => readDefinition(filters?.raw))
  const [definition, setDefinition, forgetDraft] = useDraft(`flag ${project.id} ${number} ${version}`, stored, FORM)
  const [fault, setFault] = useState<string | null>(null)
  const [isPlanning, setPlanning] = useState(false)
  const { change, isChanging, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  const { conditions, variants } = definition
  const isChanged = definition !== stored
  const subjects = listSubjects(groupTypes ?? [])
  const subject = subjects.find((one) => one.groupTypeIndex === definition.groupTypeIndex) ?? PERSONS
  const edit = (changed: Definition): void => {
    setFault(null)
    setDefinition(changed)
  }
  /** Whether it can be saved; what is wrong is shown. */
  const check = (): boolean => {
    const found = findFault(definition)
    setFault(found)
    return found === null
  }
  const save = async (): Promise<void> => {
    if (!check()) return
    const raw = writeDefinition(definition)
    const input = { projectId: project.id, id: String(number), version, filters: { raw } }
    if ((await change({ input })) !== null) forgetDraft()
  }
  const shown = fault ?? problem
  return (
    <Stack gap="md" maw={960}>
      {subjects.length > 1 && (
        <Select
          label="Decided for"
          w={190}
          allowDeselect={false}
          data={subjects.map(({ groupTypeIndex, name }) => ({ value: String(groupTypeIndex), label: name }))}
          value={String(definition.groupTypeIndex)}
          onChange={(chosen) => edit(decidedFor(definition, chosen === "null" ? null : Number(chosen)))}
        />
      )}
      {conditions.length === 0 && <Text size="sm">Nobody gets it: there is no condition.</Text>}
      {conditions.map((condition, at) => (
        <ConditionEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by nothing but its place.
          key={at}
          number={at + 1}
          condition={condition}
          kinds={toKinds(groupTypes ?? [])}
          subject={toSubject(condition.stored, subjects) ?? subject}
          variants={variants}
          onChange={(changed) => edit({ ...definition, conditions: conditions.with(at, changed) })}
          onRemove={() => edit({ ...definition, conditions: conditions.toSpliced(at, 1) })}
        />
      ))}
      <Button
        variant="default"
        style={{ alignSelf: "flex-start" }}
        onClick={() => edit({ ...definition, conditions: [...conditions, NEW_CONDITION] })}
      >
        Add a condition
      </Button>
      <VariantsEditor definition={definition} onChange={edit} />
      <Problem of={shown} />
      <Group>
        <Button disabled={!isChanged} loading={isChanging} onClick={() => void save()}>
          Save
        </Button>
        {isChanged && (
          <>
            <Button variant="default" onClick={() => setPlanning(check())}>
              Plan…
            </Button>
            <Button variant="subtle" onClick={() => edit(stored)}>
              Undo
            </Button>
          </>
        )}
      </Group>
      {isPlanning && (
        <Suspense>
          <PlanDialog
            flagNumber={number}
            title="Plan who gets it"
            change={{ filters: { raw: writeDefinition(definition) } }}
            onClose={() => setPlanning(false)}
            onPlanned={() => edit(stored)}
          />
        </Suspense>
      )}
    </Stack>
  )
}

const FORM = { read: readDefinition, write: writeDefinition }

type GroupTypes = NonNullable<FlagQuery["groupTypes"]>

const PERSONS: Subject = { groupTypeIndex: null, name: "persons" }

const listSubjects = (groupTypes: GroupTypes): Subject[] => [
  PERSONS,
  ...groupTypes.map(({ typeIndex, name }) => ({ groupTypeIndex: typeIndex, name: `groups: ${name}` })),
]

const toKinds = (groupTypes: GroupTypes): FilterKinds => [
  { value: "person", label: "Person" },
  { value: "cohort", label: "Cohort" },
  { value: "flag", label: "Flag" },
  ...groupTypes.map(({ typeIndex, name }) => ({ value: `group ${typeIndex}` as const, label: name })),
]

const OWN_SUBJECT = "aggregation_group_type_index"

/** Whom a condition is about that says so itself; undefined where the flag says it. */
const toSubject = (stored: Readonly<Record<string, unknown>>, subjects: readonly Subject[]): Subject | undefined =>
  OWN_SUBJECT in stored ? subjects.find(({ groupTypeIndex }) => groupTypeIndex === stored[OWN_SUBJECT]) : undefined

/** Conditions follow the flag from then on, also those that were about others. */
function decidedFor(definition: Definition, groupTypeIndex: number | null): Definition {
  const conditions = definition.conditions.map((condition) => {
    const { [OWN_SUBJECT]: _former, ...stored } = condition.stored
    return { ...condition, stored }
  })
  return { ...definition, groupTypeIndex, conditions }
}
