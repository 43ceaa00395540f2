import { Autocomplete, Button, Group, NativeSelect, Pill, Popover, TextInput } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { type SubmitEvent, useState } from "react"
import type { Condition } from "./conditions"
import { isOperator, OPERATOR_LABELS, OPERATOR_OPTIONS, type Operator, takesValue } from "./operators"

interface ConditionEditorProps {
  readonly conditions?: readonly Condition[]
  /** Names of properties that are offered while one is typed. */
  readonly names: readonly string[]
  readonly onChange: (conditions: readonly Condition[]) => void
}

const describe = ({ key, operator, value }: Condition): string =>
  takesValue(operator) ? `${key} ${OPERATOR_LABELS[operator]} ${value}` : `${key} ${OPERATOR_LABELS[operator]}`

/** Conditions on properties: those that hold, each of which can be taken away, and a form for another one. */
export function ConditionEditor({ conditions = [], names, onChange }: ConditionEditorProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  return (
    <Group gap={6}>
      {conditions.map((condition, place) => (
        <Pill
          key={describe(condition)}
          withRemoveButton
          removeButtonProps={{ "aria-label": `Remove: ${describe(condition)}`, "aria-hidden": false, tabIndex: 0 }}
          onRemove={() => onChange(conditions.filter((_, other) => other !== place))}
        >
          {describe(condition)}
        </Pill>
      ))}
      <Popover opened={isOpen} onChange={toggle} position="bottom-start" trapFocus shadow="md">
        <Popover.Target>
          <Button variant="default" onClick={toggle}>
            Add filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown maw="calc(100vw - 24px)">
          <ConditionForm
            names={names}
            onAdd={(condition) => {
              close()
              onChange([...conditions, condition])
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </Group>
  )
}

interface ConditionFormProps {
  readonly names: readonly string[]
  readonly onAdd: (condition: Condition) => void
}

function ConditionForm({ names, onAdd }: ConditionFormProps) {
  const [key, setKey] = useState("")
  const [operator, setOperator] = useState<Operator>("EXACT")
  const [value, setValue] = useState("")
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onAdd({ key, operator, value: takesValue(operator) ? value : "" })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <Autocomplete
          label="Property"
          data={[...names]}
          limit={20}
          value={key}
          onChange={setKey}
          required
          withAsterisk={false}
          comboboxProps={{ withinPortal: false }}
        />
        <NativeSelect
          label="Operator"
          data={OPERATOR_OPTIONS}
          value={operator}
          onChange={({ currentTarget }) => isOperator(currentTarget.value) && setOperator(currentTarget.value)}
        />
        {takesValue(operator) && (
          <TextInput
            label="Value"
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            required
            withAsterisk={false}
          />
        )}
        <Button type="submit">Add</Button>
      </Group>
    </form>
  )
}
