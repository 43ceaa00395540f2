import { ActionIcon, Button, Fieldset, Group as Row, SegmentedControl, Stack, Text } from "@mantine/core"
import { StoredCohort } from "../../../filters/stored-cohort"
import { StoredProperty } from "../../../filters/stored-property"
import { Icon } from "../../../ui/icon"
import { NEW_BEHAVIOUR } from "./behaviour"
import { BehaviourEditor } from "./behaviour-editor"
import { type Group, isNegated, type Leaf, NEW_COHORT, NEW_GROUP, NEW_PROPERTY, type Node } from "./tree"

const TYPES = [
  { value: "AND", label: "All of these" },
  { value: "OR", label: "Any of these" },
]

interface GroupEditorProps {
  /** What it is called, as in "Condition 2". */
  readonly label: string
  readonly group: Group
  readonly onChange: (group: Group) => void
}

/** Conditions that all have to hold, or one of them; a condition may be such a group itself. */
export function GroupEditor({ label, group, onChange }: GroupEditorProps) {
  const { type, nodes } = group
  const change = (changed: readonly Node[]): void => onChange({ ...group, nodes: changed })
  const add = (node: Node): void => change([...nodes, node])
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={`${label}: how many have to hold`}
          size="xs"
          style={{ alignSelf: "flex-start" }}
          data={TYPES}
          value={type}
          onChange={(chosen) => onChange({ ...group, type: chosen === "OR" ? "OR" : "AND" })}
        />
        {nodes.length === 0 && <Text size="sm">Everybody fits: there is no condition.</Text>}
        {nodes.map((node, at) => (
          <NodeEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by nothing but its place.
            key={at}
            label={label === ROOT ? `Condition ${at + 1}` : `${label}.${at + 1}`}
            node={node}
            onChange={(changed) => change(nodes.with(at, changed))}
            onRemove={() => change(nodes.toSpliced(at, 1))}
          />
        ))}
        <Row gap="xs">
          <Button variant="subtle" onClick={() => add(NEW_PROPERTY)}>
            Add a property
          </Button>
          <Button variant="subtle" onClick={() => add({ kind: "behaviour", leaf: NEW_BEHAVIOUR })}>
            Add what they did
          </Button>
          <Button variant="subtle" onClick={() => add(NEW_COHORT)}>
            Add a cohort
          </Button>
          <Button variant="subtle" color="gray" onClick={() => add(NEW_GROUP)}>
            Add a group
          </Button>
        </Row>
      </Stack>
    </Fieldset>
  )
}

/** What the outermost group is called. */
export const ROOT = "Who belongs to it"

interface NodeEditorProps {
  readonly label: string
  readonly node: Node
  readonly onChange: (node: Node) => void
  readonly onRemove: () => void
}

function NodeEditor({ label, node, onChange, onRemove }: NodeEditorProps) {
  return (
    <Row gap={6} align="flex-start" wrap="nowrap" justify="space-between">
      <Stack flex={1} miw={0}>
        {node.kind === "group" ? (
          <GroupEditor label={label} group={node} onChange={onChange} />
        ) : (
          <LeafEditor label={label} leaf={node} onChange={onChange} />
        )}
      </Stack>
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Remove ${label}`} onClick={onRemove}>
        <Icon name="cross" size={16} />
      </ActionIcon>
    </Row>
  )
}

interface LeafEditorProps {
  readonly label: string
  readonly leaf: Leaf
  readonly onChange: (leaf: Leaf) => void
}

function LeafEditor({ label, leaf, onChange }: LeafEditorProps) {
  if (leaf.kind === "other") return <Text size="sm">{JSON.stringify(leaf.stored)}</Text>
  if (leaf.kind === "behaviour")
    return (
      <BehaviourEditor label={label} leaf={leaf.leaf} onChange={(changed) => onChange({ ...leaf, leaf: changed })} />
    )
  const { filter } = leaf
  const Editor = filter.type === "person" ? StoredProperty : StoredCohort
  const change = (changed: typeof filter): void => onChange({ ...leaf, filter: changed })
  return (
    <Row gap={6} align="flex-start">
      <Text size="sm" py={4} w={70}>
        {`${filter.type === "cohort" ? "Cohort" : "Person"}${isNegated(filter.stored) ? ", not" : ""}`}
      </Text>
      <Editor label={label} filter={filter} onChange={change} />
    </Row>
  )
}
