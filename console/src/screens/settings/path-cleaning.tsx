import { ActionIcon, Group, TextInput } from "@mantine/core"
import { useState } from "react"
import type { PathCleaningInput } from "../../graph/generated/graphql"
import { AddButton } from "../../ui/add-button"
import { Icon } from "../../ui/icon"
import { Problem } from "../../ui/problem"
import { PathPreview } from "./path-preview"
import { Section } from "./section"
import { Setting } from "./setting"

/** Rules by which queries write paths, one after the other, with what they make of paths that came. */
export function PathCleaning({ rules }: { readonly rules: readonly PathCleaningInput[] }) {
  const [stored] = useState(() => rules.map(({ regex, alias }) => ({ regex, alias })))
  return (
    <Section
      title="Paths"
      note="Queries that are asked to clean paths write what fits an expression (RE2) as its alias, rule after rule. In an alias, \1 is what the first group found."
    >
      <Setting stored={stored} toInput={(pathCleaningFilters) => ({ pathCleaningFilters })}>
        {({ value, onChange, error }) => (
          <>
            {value.map((rule, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by nothing but its place.
              <Group key={at} gap={4} wrap="nowrap">
                <TextInput
                  aria-label={`Expression ${at + 1}`}
                  placeholder="/orders/\d+"
                  flex={1}
                  value={rule.regex}
                  onChange={({ currentTarget }) => onChange(value.with(at, { ...rule, regex: currentTarget.value }))}
                />
                <TextInput
                  aria-label={`Alias ${at + 1}`}
                  placeholder="/orders/:id"
                  flex={1}
                  value={rule.alias}
                  onChange={({ currentTarget }) => onChange(value.with(at, { ...rule, alias: currentTarget.value }))}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove rule ${at + 1}`}
                  onClick={() => onChange(value.toSpliced(at, 1))}
                >
                  <Icon name="cross" size={16} />
                </ActionIcon>
              </Group>
            ))}
            <AddButton onClick={() => onChange([...value, { regex: "", alias: "" }])}>Add a rule</AddButton>
            <Problem of={error} />
            <PathPreview rules={value} />
          </>
        )}
      </Setting>
    </Section>
  )
}
