import {
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TextInput,
} from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { ShownOnce } from "../../ui/shown-once"
import { useChange } from "../../ui/use-change"
import { CREATE_PERSONAL_KEY } from "./keys.queries"
import { KINDS, READ_ALL, type Right, type Rights, toScopes } from "./scopes"

/** How much a key may do, before single rights are chosen. */
const WIDTHS = [
  { value: "all", label: "Everything I may" },
  { value: "read", label: "Read everything" },
  { value: "some", label: "Chosen rights" },
] as const
type Width = (typeof WIDTHS)[number]["value"]

const RIGHTS: readonly { readonly value: Right; readonly label: string }[] = [
  { value: "none", label: "no right" },
  { value: "read", label: "read" },
  { value: "write", label: "read and change" },
]

interface NewKeyProps {
  readonly onMade: () => void
  readonly onClose: () => void
}

/** Makes a personal key, whose value is shown this once. */
export function NewKey({ onMade, onClose }: NewKeyProps) {
  const { id: projectId, name } = useProject()
  const [label, setLabel] = useState("")
  const [width, setWidth] = useState<Width>("read")
  const [rights, setRights] = useState<Rights>({})
  const [isBound, setBound] = useState(true)
  const [value, setValue] = useState<string | null>(null)
  const { change, isChanging, problem } = useChange(CREATE_PERSONAL_KEY, (data) => data.createPersonalApiKey)
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const scopes = width === "all" ? ["ALL" as const] : toScopes(width === "read" ? READ_ALL : rights)
    const made = await change({ input: { label, scopes, projectIds: isBound ? [projectId] : [] } })
    if (made === null) return
    setValue(made.createPersonalApiKey?.personalApiKey?.value ?? null)
    onMade()
  }
  if (value !== null)
    return (
      <Modal opened onClose={onClose} title="New personal key">
        <ShownOnce what="Key" value={value} />
      </Modal>
    )
  return (
    <Modal opened onClose={onClose} title="New personal key" size="lg">
      <form onSubmit={(event) => void make(event)}>
        <Stack gap="md">
          <TextInput
            label="What it is for"
            required
            withAsterisk={false}
            data-autofocus
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          />
          <SegmentedControl
            aria-label="What it may do"
            data={[...WIDTHS]}
            value={width}
            onChange={(chosen) => setWidth(WIDTHS.find((one) => one.value === chosen)?.value ?? width)}
          />
          {width === "some" && (
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
              {KINDS.map(({ object, label: kind }) => (
                <NativeSelect
                  key={object}
                  label={kind}
                  data={RIGHTS}
                  value={rights[object] ?? "none"}
                  onChange={({ currentTarget }) => {
                    const right = RIGHTS.find((one) => one.value === currentTarget.value)?.value
                    setRights({ ...rights, [object]: right })
                  }}
                />
              ))}
            </SimpleGrid>
          )}
          <Checkbox
            label={`For ${name} alone`}
            description="Such a key does not reach members, other keys or other projects."
            checked={isBound}
            onChange={({ currentTarget }) => setBound(currentTarget.checked)}
          />
          <Problem of={problem} />
          <Group justify="flex-end">
            <Button type="submit" loading={isChanging}>
              Make the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
