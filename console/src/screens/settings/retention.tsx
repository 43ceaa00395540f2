import { NumberInput } from "@mantine/core"
import type { ProjectSettingsPageQuery } from "../../graph/generated/graphql"
import { Section } from "./section"
import { Setting } from "./setting"

type Settings = NonNullable<ProjectSettingsPageQuery["project"]>["settings"]

const KINDS = [
  { setting: "eventRetentionDays", label: "Days for which events are kept", unset: "For ever" },
  { setting: "sessionRecordingRetentionDays", label: "Days for which recordings are kept", unset: "30" },
  { setting: "pluginLogRetentionDays", label: "Days for which logs of plugins are kept", unset: "90" },
] as const satisfies readonly { readonly setting: keyof Settings; readonly label: string; readonly unset: string }[]

/** How long what is stored stays. */
export const Retention = ({ settings }: { readonly settings: Settings }) => (
  <Section title="Retention" note="What is older is deleted for good, within a day. 0 keeps for ever.">
    {KINDS.map(({ setting, label, unset }) => (
      <Setting key={setting} stored={settings[setting]} toInput={(days) => ({ settings: { [setting]: days } })}>
        {({ value, onChange, error }) => (
          <NumberInput
            label={label}
            placeholder={unset}
            min={0}
            allowDecimal={false}
            value={value ?? ""}
            error={error}
            onChange={(typed) => onChange(typeof typed === "number" ? typed : null)}
          />
        )}
      </Setting>
    ))}
  </Section>
)
