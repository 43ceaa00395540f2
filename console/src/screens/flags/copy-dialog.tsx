import { Button, Checkbox, Modal, Select, Stack, Text } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { COPY_FLAG, COPY_TARGETS } from "./flags.queries"

interface CopyDialogProps {
  readonly flagKey: string
  readonly onClose: () => void
}

/** Copies a flag to another project of the organization, and says what came of it. */
export function CopyDialog({ flagKey, onClose }: CopyDialogProps) {
  const { id: fromProjectId } = useProject()
  const [target, setTarget] = useState<string | null>(null)
  const [isDisabled, setDisabled] = useState(true)
  const [outcome, setOutcome] = useState<{ readonly error: string | null } | null>(null)
  const answer = useQuery({ query: COPY_TARGETS })
  const { change, isChanging, problem } = useChange(COPY_FLAG, ({ copyFeatureFlag }) => copyFeatureFlag)
  const copy = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (target === null) return
    const done = await change({ input: { fromProjectId, key: flagKey, targetProjectIds: [target], isDisabled } })
    setOutcome(done?.copyFeatureFlag?.copies?.[0] ?? null)
  }
  const refusal = problem ?? outcome?.error ?? null
  return (
    <Modal opened onClose={onClose} title={`Copy ${flagKey} to another project`}>
      <Answer of={answer}>
        {({ projects }) => {
          const all = projects?.nodes ?? []
          const own = all.find(({ number }) => String(number) === fromProjectId)
          const others = all.filter((one) => one !== own && one.organizationId === own?.organizationId)
          if (others.length === 0)
            return <Text size="sm">Your organization has no other project that you may see.</Text>
          return (
            <form onSubmit={(event) => void copy(event)}>
              <Stack gap="sm">
                <Select
                  label="Project"
                  description="A flag of this key is overwritten there. Cohorts are found by name, or made."
                  data={others.map(({ number, name }) => ({ value: String(number), label: name }))}
                  value={target}
                  onChange={(chosen) => {
                    setTarget(chosen)
                    setOutcome(null)
                  }}
                  searchable
                />
                <Checkbox
                  label="Switched off there"
                  checked={isDisabled}
                  onChange={({ currentTarget: { checked } }) => setDisabled(checked)}
                />
                <Problem of={refusal} />
                {outcome?.error === null && (
                  <Text size="sm" role="status">
                    The flag is copied.
                  </Text>
                )}
                <Button type="submit" disabled={target === null} loading={isChanging} style={{ alignSelf: "flex-end" }}>
                  Copy
                </Button>
              </Stack>
            </form>
          )
        }}
      </Answer>
    </Modal>
  )
}
