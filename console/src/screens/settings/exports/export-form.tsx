import { Button, Group, Modal, NativeSelect, PasswordInput, Stack, TextInput } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import type { ScheduledExportTargetInput } from "../../../graph/generated/graphql"
import { useProject } from "../../../project/project"
import { Problem } from "../../../ui/problem"
import { useChange } from "../../../ui/use-change"
import { CREATE_EXPORT, UPDATE_EXPORT } from "./exports.queries"
import { CONTENTS, FORMATS, FREQUENCIES, type ListedExport } from "./words"

const KINDS = [
  { value: "folder", label: "A folder of the server" },
  { value: "s3", label: "A bucket (S3)" },
] as const

/** Texts of the form by the names that refusals have for them. */
const TEXTS = {
  folder: [{ name: "prefix", label: "Folder", placeholder: "warehouse/events" }],
  s3: [
    { name: "endpoint", label: "Address", placeholder: "https://s3.eu-central-1.amazonaws.com" },
    { name: "region", label: "Region", placeholder: "eu-central-1" },
    { name: "bucket", label: "Bucket", placeholder: "" },
    { name: "prefix", label: "Folder in it", placeholder: "warehouse/events" },
    { name: "accessKeyId", label: "Id of the key", placeholder: "" },
  ],
} as const

interface ExportFormProps {
  /** The export that is changed; null for a new one. */
  readonly of: ListedExport | null
  readonly onClose: () => void
}

/** What an export writes, how often and where to; the place is tried before it is kept. */
export function ExportForm({ of: known, onClose }: ExportFormProps) {
  const { id: projectId } = useProject()
  const [form, setForm] = useState(() => readForm(known))
  const creating = useChange(CREATE_EXPORT, (data) => data.createScheduledExport)
  const updating = useChange(UPDATE_EXPORT, (data) => data.updateScheduledExport)
  const { isChanging, problem, refusal } = known === null ? creating : updating
  const set = (changed: Partial<Form>): void => setForm({ ...form, ...changed })
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const { name, content, frequency, format } = form
    const input = { projectId, name, content, frequency, format, target: toTarget(form) }
    const made =
      known === null ? await creating.change({ input }) : await updating.change({ input: { ...input, id: known.id } })
    if (made !== null) onClose()
  }
  const errorOf = (field: string): string | undefined => (refusal?.field === field ? refusal.message : undefined)
  const texts = TEXTS[form.kind].map((text) => ({ ...text, field: `target__${form.kind}__${text.name}` }))
  const secretField = "target__s3__secretAccessKey"
  const isAtField = ["name", secretField, ...texts.map(({ field }) => field)].includes(refusal?.field ?? "")
  return (
    <Modal opened onClose={onClose} title={known === null ? "New export" : `Change ${known.name}`}>
      <form onSubmit={(event) => void save(event)}>
        <Stack gap="sm" align="stretch">
          <TextInput
            label="Name"
            required
            data-autofocus
            value={form.name}
            error={errorOf("name")}
            onChange={({ currentTarget: { value } }) => set({ name: value })}
          />
          <NativeSelect
            label="What is written"
            description={known === null ? undefined : "It stays as it was made."}
            disabled={known !== null}
            data={CONTENTS}
            value={form.content}
            onChange={({ currentTarget: { value } }) => set(pick("content", CONTENTS, value))}
          />
          <NativeSelect
            label="How often"
            description="An hour or a day of UTC is written once it is over."
            data={FREQUENCIES}
            value={form.frequency}
            onChange={({ currentTarget: { value } }) => set(pick("frequency", FREQUENCIES, value))}
          />
          <NativeSelect
            label="Files"
            data={FORMATS}
            value={form.format}
            onChange={({ currentTarget: { value } }) => set(pick("format", FORMATS, value))}
          />
          <NativeSelect
            label="Where to"
            data={KINDS}
            value={form.kind}
            onChange={({ currentTarget: { value } }) => set(pick("kind", KINDS, value))}
          />
          {texts.map(({ name, label, placeholder, field }) => (
            <TextInput
              key={field}
              label={label}
              placeholder={placeholder}
              required={name !== "prefix"}
              value={form[name]}
              error={errorOf(field)}
              onChange={({ currentTarget: { value } }) => set({ [name]: value })}
            />
          ))}
          {form.kind === "s3" && (
            <PasswordInput
              label="Secret of the key"
              description={
                known?.target.kind === "S3"
                  ? "Stays as it is when nothing is written here; it is never shown."
                  : "It is kept encrypted, and never shown."
              }
              autoComplete="off"
              value={form.secret}
              error={errorOf(secretField)}
              onChange={({ currentTarget: { value } }) => set({ secret: value })}
            />
          )}
          <Problem of={isAtField ? null : problem} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isChanging}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

type Form = ReturnType<typeof readForm>

const readForm = (known: ListedExport | null) => ({
  name: known?.name ?? "",
  content: known?.content ?? ("EVENTS" as const),
  frequency: known?.frequency ?? ("HOURLY" as const),
  format: known?.format ?? ("PARQUET" as const),
  kind: known?.target.kind === "S3" ? ("s3" as const) : ("folder" as const),
  prefix: known?.target.prefix ?? "",
  endpoint: known?.target.endpoint ?? "",
  region: known?.target.region ?? "",
  bucket: known?.target.bucket ?? "",
  accessKeyId: known?.target.accessKeyId ?? "",
  secret: "",
})

const toTarget = ({ kind, prefix, endpoint, region, bucket, accessKeyId, secret }: Form): ScheduledExportTargetInput =>
  kind === "folder"
    ? { folder: { prefix } }
    : { s3: { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey: secret === "" ? null : secret } }

/** The choice of a list that a select names, as a change of the form; none for what is not in the list. */
function pick<Name extends keyof Form>(
  name: Name,
  choices: readonly { readonly value: Form[Name] }[],
  chosen: string,
): Partial<Form> {
  const found = choices.find(({ value }) => value === chosen)
  return found === undefined ? {} : { [name]: found.value }
}
