import { NativeSelect, NumberInput, Select, Switch, TextInput } from "@mantine/core"
import { useQuery } from "urql"
import type { ProjectSettingsPageQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { AdminFieldset } from "./admin-fieldset"
import { QuotaLimits } from "./quota-limits"
import { Retention } from "./retention"
import { Section } from "./section"
import { Setting } from "./setting"
import { PROJECT_SETTINGS } from "./settings.queries"

type Project = NonNullable<ProjectSettingsPageQuery["project"]>

/** The settings of the project, each of which is saved on its own. */
export function ProjectSettings({ mayChange }: { readonly mayChange: boolean }) {
  const { id } = useProject()
  const answer = useQuery({
    query: PROJECT_SETTINGS,
    variables: { number: Number(id) },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ project }) =>
        project && (
          <AdminFieldset mayChange={mayChange} width={560}>
            <General project={project} />
            <Recording settings={project.settings} />
            <Privacy settings={project.settings} />
            <Retention settings={project.settings} />
            <Flags settings={project.settings} />
            <Limits settings={project.settings} />
          </AdminFieldset>
        )
      }
    </Answer>
  )
}

/** Names of the days from Sunday on; 5 January 2025 was one. */
const DAYS = Array.from({ length: 7 }, (_, day) => ({
  value: String(day),
  label: new Intl.DateTimeFormat(undefined, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2025, 0, 5 + day)),
}))

function General({ project }: { readonly project: Project }) {
  const zones = [...new Set([project.timezone, "UTC", ...Intl.supportedValuesOf("timeZone")])]
  return (
    <Section title="General">
      <Setting stored={project.name} toInput={(name) => ({ name })}>
        {({ value, onChange, error }) => (
          <TextInput
            label="Name"
            value={value}
            error={error}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Setting>
      <Setting stored={project.timezone} toInput={(timezone) => ({ timezone })}>
        {({ value, onChange, error }) => (
          <Select
            label="Time zone"
            description="Days of insights begin in it, and times are shown in it."
            searchable
            allowDeselect={false}
            data={zones}
            limit={50}
            value={value}
            error={error}
            onChange={(chosen) => chosen !== null && onChange(chosen)}
          />
        )}
      </Setting>
      <Setting stored={project.weekStartDay} toInput={(weekStartDay) => ({ weekStartDay })}>
        {({ value, onChange, error }) => (
          <NativeSelect
            label="First day of the week"
            data={DAYS}
            value={String(value)}
            error={error}
            onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
          />
        )}
      </Setting>
    </Section>
  )
}

interface PartProps {
  readonly settings: Project["settings"]
}

function Recording({ settings }: PartProps) {
  const options = Object(settings.raw).session_recording
  const isOn = options !== false
  return (
    <Section title="Recordings">
      <Setting
        stored={isOn}
        // What was chosen by the API for recorders stays while recording is on.
        toInput={(value) => ({ settings: { raw: { session_recording: value ? options || null : false } } })}
      >
        {({ value, onChange, error }) => (
          <Switch
            label="Record sessions"
            description="Browser SDKs send what visitors see. Recorders read it when a page is loaded."
            checked={value}
            error={error}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
        )}
      </Setting>
    </Section>
  )
}

function Flags({ settings }: PartProps) {
  return (
    <Section title="Flags">
      <Setting
        stored={settings.featureFlagApproval ?? false}
        toInput={(featureFlagApproval) => ({ settings: { featureFlagApproval } })}
      >
        {({ value, onChange, error }) => (
          <Switch
            label="Changes of flags need a second person"
            description="Who changes a flag asks for it; somebody else approves. New flags need nobody."
            checked={value}
            error={error}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
        )}
      </Setting>
    </Section>
  )
}

const COOKIELESS = [
  { value: "STATEFUL", label: "are told apart for a day" },
  { value: "STATELESS", label: "are counted, and nothing of them is kept" },
  { value: "OFF", label: "are not counted" },
] as const

function Privacy({ settings }: PartProps) {
  return (
    <Section title="Privacy">
      <Setting stored={settings.anonymizeIps ?? false} toInput={(anonymizeIps) => ({ settings: { anonymizeIps } })}>
        {({ value, onChange, error }) => (
          <Switch
            label="Discard addresses that events come from"
            description="Their places are found first."
            checked={value}
            error={error}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
        )}
      </Setting>
      <Setting
        stored={settings.autocaptureOptOut ?? false}
        toInput={(autocaptureOptOut) => ({ settings: { autocaptureOptOut } })}
      >
        {({ value, onChange, error }) => (
          <Switch
            label="No autocapture"
            description="Clicks and forms are not captured by themselves, whatever a page asks for."
            checked={value}
            error={error}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
        )}
      </Setting>
      <Setting
        stored={settings.cookielessMode ?? "STATEFUL"}
        toInput={(cookielessMode) => ({ settings: { cookielessMode } })}
      >
        {({ value, onChange, error }) => (
          <NativeSelect
            label="Visitors without cookies"
            data={COOKIELESS}
            value={value}
            error={error}
            onChange={({ currentTarget }) =>
              onChange(COOKIELESS.find((mode) => mode.value === currentTarget.value)?.value ?? value)
            }
          />
        )}
      </Setting>
    </Section>
  )
}

function Limits({ settings }: PartProps) {
  return (
    <Section title="Quotas">
      <Setting
        stored={settings.featureFlagRequestLimit}
        toInput={(featureFlagRequestLimit) => ({ settings: { featureFlagRequestLimit } })}
      >
        {({ value, onChange, error }) => (
          <NumberInput
            label="Flag requests in a calendar month"
            description="Of the whole organization; further ones are answered without flags."
            placeholder="As many as come"
            min={0}
            allowDecimal={false}
            thousandSeparator=" "
            value={value ?? ""}
            error={error}
            onChange={(typed) => onChange(typeof typed === "number" ? typed : null)}
          />
        )}
      </Setting>
      <QuotaLimits limits={settings.quotaLimits ?? []} />
    </Section>
  )
}
