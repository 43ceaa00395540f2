import { ActionIcon, Button, Fieldset, Group, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { Icon } from "../../ui/icon"
import { NumberField } from "../../ui/number-field"
import { type Definition, isJson, type Variant } from "./definition"

interface VariantsEditorProps {
  readonly definition: Definition
  readonly onChange: (definition: Definition) => void
}

/** What a flag gives to those who get it: on, or one of several variants by shares, and a payload with it. */
export function VariantsEditor({ definition, onChange }: VariantsEditorProps) {
  const { variants, payload } = definition
  const change = (changed: readonly Variant[]): void => onChange({ ...definition, variants: changed })
  const sum = variants.reduce((all, { rolloutPercentage }) => all + rolloutPercentage, 0)
  if (variants.length === 0)
    return (
      <Fieldset legend="What they get">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">The flag is on.</Text>
          <PayloadInput
            label="Payload"
            payload={payload}
            onChange={(text) => onChange({ ...definition, payload: text })}
          />
          <Button variant="subtle" onClick={() => change(["control", "test"].map(toNewVariant))}>
            Give it variants
          </Button>
        </Stack>
      </Fieldset>
    )
  return (
    <Fieldset legend="What they get">
      <Stack gap="sm">
        {variants.map((variant, at) => (
          <VariantEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: its key is being written.
            key={at}
            label={`Variant ${at + 1}`}
            variant={variant}
            onChange={(changed) => onChange(withVariant(definition, at, changed))}
            onRemove={() => change(variants.toSpliced(at, 1))}
          />
        ))}
        <Group gap="xs">
          <Button variant="subtle" onClick={() => change([...variants, { ...toNewVariant(""), rolloutPercentage: 0 }])}>
            Add a variant
          </Button>
          <Button variant="subtle" color="gray" onClick={() => change(shareEqually(variants))}>
            Share equally
          </Button>
          <Text size="sm" c={sum === 100 ? "dimmed" : "red"}>{`${Number(sum.toFixed(2))} % together`}</Text>
        </Group>
      </Stack>
    </Fieldset>
  )
}

interface VariantEditorProps {
  readonly label: string
  readonly variant: Variant
  readonly onChange: (variant: Variant) => void
  readonly onRemove: () => void
}

function VariantEditor({ label, variant, onChange, onRemove }: VariantEditorProps) {
  return (
    <Group gap={6} align="flex-start">
      <TextInput
        aria-label={`${label}, key`}
        placeholder="Key"
        w={130}
        value={variant.key}
        onChange={({ currentTarget: { value } }) => onChange({ ...variant, key: value })}
      />
      <NumberField
        label={`${label}, share`}
        isLabelHidden
        unit="%"
        min={0}
        max={100}
        step="any"
        width={90}
        value={variant.rolloutPercentage}
        onChange={(share) => onChange({ ...variant, rolloutPercentage: share })}
      />
      <TextInput
        aria-label={`${label}, description`}
        placeholder="Description"
        w={190}
        value={variant.name}
        onChange={({ currentTarget: { value } }) => onChange({ ...variant, name: value })}
      />
      <PayloadInput
        label={`${label}, payload`}
        payload={variant.payload}
        onChange={(payload) => onChange({ ...variant, payload })}
      />
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Remove ${label}`} onClick={onRemove}>
        <Icon name="cross" size={16} />
      </ActionIcon>
    </Group>
  )
}

interface PayloadInputProps {
  readonly label: string
  readonly payload: string
  readonly onChange: (payload: string) => void
}

/** JSON that applications get along with the value. */
function PayloadInput({ label, payload, onChange }: PayloadInputProps) {
  return (
    <Textarea
      aria-label={label}
      placeholder={'Payload, as in {"colour": "blue"}'}
      autosize
      maxRows={8}
      w={290}
      error={payload.trim() === "" || isJson(payload) ? undefined : 'No JSON. A text is written as "blue".'}
      value={payload}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  )
}

const toNewVariant = (key: string): Variant => ({ key, name: "", rolloutPercentage: 50, payload: "", stored: {} })

/** Conditions that give a variant to all go along when it gets another key. */
function withVariant(definition: Definition, at: number, changed: Variant): Definition {
  const { variants, conditions } = definition
  const before = variants[at]?.key
  return {
    ...definition,
    variants: variants.with(at, changed),
    conditions: conditions.map((one) => (one.variant === before ? { ...one, variant: changed.key } : one)),
  }
}

/** Equal shares of two decimals, of which the last takes what is left. */
function shareEqually(variants: readonly Variant[]): Variant[] {
  const share = Math.floor(10_000 / variants.length) / 100
  const rest = Number((100 - share * (variants.length - 1)).toFixed(2))
  return variants.map((one, at) => ({ ...one, rolloutPercentage: at === variants.length - 1 ? rest : share }))
}
