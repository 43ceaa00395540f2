import { Button, Group, Select, Stack, Switch, TagsInput, Text, Textarea } from "@mantine/core"
import { type FormEvent, useState } from "react"
import { useQuery } from "urql"
import * as z from "zod/mini"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { useDraft } from "../../ui/use-draft"
import { COLLEAGUES, SAY_OF_EVENT, SAY_OF_PROPERTY } from "./data.queries"
import type { Definition, NamedThing } from "./use-definitions-of"

const DRAFT = z.object({
  description: z.string(),
  ownerNumber: z.nullable(z.number()),
  tags: z.array(z.string()),
  isVerified: z.boolean(),
  isHidden: z.boolean(),
})
type Draft = z.infer<typeof DRAFT>

interface DefinitionFormProps {
  readonly of: NamedThing
  readonly definition: Definition
}

/** What people say of a name: read and changed in place. */
export function DefinitionForm({ of, definition }: DefinitionFormProps) {
  const { id: projectId } = useProject()
  const { id, name, lastModifiedAt, lastModifiedBy } = definition
  const { description, owner, tags, isVerified, isHidden } = definition
  const stored: Draft = { description, ownerNumber: owner?.number ?? null, tags, isVerified, isHidden }
  const [draft, setDraft, forgetDraft] = useDraft(`${id} ${lastModifiedAt}`, stored, {
    read: (raw) => z.safeParse(DRAFT, raw).data ?? stored,
    write: (written) => written,
  })
  const [isSaved, setSaved] = useState(false)
  const ofEvent = useChange(SAY_OF_EVENT, (data) => data.updateEventDefinition)
  const ofProperty = useChange(SAY_OF_PROPERTY, (data) => data.updatePropertyDefinition)
  const { change, isChanging, problem } = of === "events" ? ofEvent : ofProperty
  const edit = (changed: Partial<Draft>): void => {
    setSaved(false)
    setDraft({ ...draft, ...changed })
  }
  const save = async (submitted: FormEvent): Promise<void> => {
    submitted.preventDefault()
    if ((await change({ input: { projectId, id, ...draft } })) === null) return
    forgetDraft()
    setSaved(true)
  }
  return (
    <form onSubmit={(submitted) => void save(submitted)} aria-label={`Definition of ${name}`}>
      <Stack gap="sm" maw="min(560px, calc(100vw - 100px))" py="xs">
        <Textarea
          label="Description"
          placeholder="What it stands for, and when it is sent"
          autosize
          value={draft.description}
          onChange={({ currentTarget: { value } }) => edit({ description: value })}
        />
        <OwnerSelect
          owner={definition.owner}
          chosen={draft.ownerNumber}
          onChange={(ownerNumber) => edit({ ownerNumber })}
        />
        <TagsInput label="Tags" value={draft.tags} onChange={(tags) => edit({ tags })} acceptValueOnBlur />
        <Switch
          label="Verified: somebody has checked that it is sent as described"
          checked={draft.isVerified}
          onChange={({ currentTarget: { checked } }) => edit({ isVerified: checked })}
        />
        <Switch
          label="Hidden: it is not offered where names are chosen"
          checked={draft.isHidden}
          onChange={({ currentTarget: { checked } }) => edit({ isHidden: checked })}
        />
        <Problem of={problem} />
        <Group gap="sm">
          <Button type="submit" loading={isChanging}>
            Save
          </Button>
          {isSaved && (
            <Text size="sm" role="status">
              Saved.
            </Text>
          )}
          {!isSaved && lastModifiedAt !== null && (
            <Text size="xs" c="dimmed">
              Last changed <Time of={lastModifiedAt} /> by {lastModifiedBy?.email ?? "somebody"}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}

interface OwnerSelectProps {
  readonly owner: Definition["owner"]
  readonly chosen: number | null
  readonly onChange: (number: number | null) => void
}

/** Who answers for a name: one of the members of the organization. */
function OwnerSelect({ owner, chosen, onChange }: OwnerSelectProps) {
  const { id } = useProject()
  const [{ data }] = useQuery({ query: COLLEAGUES, variables: { number: Number(id) } })
  const members = (data?.project?.organization?.members?.nodes ?? []).map(({ user }) => user)
  const users = new Map(
    [...(owner === null ? [] : [owner]), ...members].map((user) => [String(user.number), user.email]),
  )
  return (
    <Select
      label="Owner"
      placeholder="Nobody"
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Nobody owns it" }}
      data={[...users].map(([value, label]) => ({ value, label }))}
      value={chosen === null ? null : String(chosen)}
      onChange={(number) => onChange(number === null ? null : Number(number))}
      nothingFoundMessage="Nobody in the organization is called so."
    />
  )
}
