import { Switch } from "@mantine/core"
import { useProject } from "../../project/project"
import { useChange } from "../../ui/use-change"
import { UPDATE_FLAG } from "./flags.queries"

interface ActiveSwitchProps {
  readonly of: { readonly number: number; readonly key: string; readonly active: boolean }
}

/** Switches a flag on and off at once; the same key press takes it back. */
export function ActiveSwitch({ of: { number, key, active } }: ActiveSwitchProps) {
  const { id: projectId, mayWrite } = useProject()
  const { change, isChanging, problem } = useChange(UPDATE_FLAG, ({ updateFeatureFlag }) => updateFeatureFlag)
  return (
    <Switch
      size="xs"
      aria-label={`${key} is on`}
      error={problem}
      checked={active}
      disabled={isChanging || !mayWrite}
      onChange={({ currentTarget: { checked } }) =>
        void change({ input: { projectId, id: String(number), active: checked } })
      }
    />
  )
}
