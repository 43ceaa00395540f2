import { Anchor, Group, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { CohortQuery } from "../../graph/generated/graphql"

const FROM = "/project/$project/cohorts/$cohort"

/** The flags and cohorts that ask for a cohort, which keep it from being deleted. */
export function CohortUses({ of: uses }: { readonly of: NonNullable<CohortQuery["cohort"]>["usedBy"] }) {
  const { featureFlags = [], cohorts = [] } = uses ?? {}
  if (featureFlags.length + cohorts.length === 0) return <Text size="sm">No flag and no other cohort asks for it.</Text>
  return (
    <Group gap="sm">
      <Text size="sm">Used by</Text>
      {featureFlags.map(({ id, key }) => (
        <Anchor
          key={id}
          size="sm"
          renderRoot={(props) => <Link {...props} from={FROM} to="/project/$project/flags/$key" params={{ key }} />}
        >
          {key}
        </Anchor>
      ))}
      {cohorts.map(({ id, number, name }) => (
        <Anchor
          key={id}
          size="sm"
          renderRoot={(props) => (
            <Link {...props} from={FROM} to="/project/$project/cohorts/$cohort" params={{ cohort: String(number) }} />
          )}
        >
          {name || `Cohort ${number}`}
        </Anchor>
      ))}
    </Group>
  )
}
