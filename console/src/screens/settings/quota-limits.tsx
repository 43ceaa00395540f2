import { SimpleGrid, TextInput } from "@mantine/core"
import type { ProjectSettingsPageQuery, QuotaLimitInput, QuotaResource } from "../../graph/generated/graphql"
import { Setting } from "./setting"

type Limits = NonNullable<NonNullable<ProjectSettingsPageQuery["project"]>["settings"]["quotaLimits"]>

const RESOURCES: readonly (readonly [resource: QuotaResource, label: string])[] = [
  ["EVENTS", "No events"],
  ["RECORDINGS", "No recordings"],
  ["EXCEPTIONS", "No exceptions"],
  ["SURVEYS", "No answers of surveys"],
  ["LLM_EVENTS", "No events of language models"],
]

const keep = ({ resource, until }: Limits[number]): QuotaLimitInput[] => (until === null ? [] : [{ resource, until }])

/** Until which day (UTC) what comes of each kind is dropped; none for what is taken. */
export const QuotaLimits = ({ limits }: { readonly limits: Limits }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    {RESOURCES.map(([resource, label]) => (
      <Setting
        key={resource}
        stored={limits.find((limit) => limit.resource === resource)?.until?.slice(0, 10) ?? ""}
        toInput={(day) => {
          const others = limits.filter((limit) => limit.resource !== resource).flatMap(keep)
          const own = day === "" ? [] : [{ resource, until: `${day}T00:00:00Z` }]
          return { settings: { quotaLimits: [...others, ...own] } }
        }}
      >
        {({ value, onChange, error }) => (
          <TextInput
            type="date"
            label={`${label} until`}
            value={value}
            error={error}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Setting>
    ))}
  </SimpleGrid>
)
