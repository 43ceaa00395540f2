import { Fieldset, List, Text } from "@mantine/core"
import { toOperatorLabel } from "../../filters/stored-filter"
import type { ExplainFlagQuery, FlagConditionOutcome } from "../../graph/generated/graphql"
import { PropertyValue } from "../../ui/property-table"

type Condition = NonNullable<ExplainFlagQuery["explainFlag"]>["conditions"][number]

const OUTCOMES: Readonly<Record<FlagConditionOutcome, string>> = {
  CONDITION_MATCH: "Fits, and is in the share.",
  NO_CONDITION_MATCH: "Does not fit.",
  NO_GROUP_TYPE: "Is about groups, and none was named.",
  OUT_OF_ROLLOUT_BOUND: "Fits, and is left out by the share.",
}

/** How each condition of a flag came out for one person, and each property of it. */
export function FlagReasons({ conditions }: { readonly conditions: readonly Condition[] }) {
  return conditions.map(({ index, outcome, bucket, rolloutPercentage, filters }) => (
    <Fieldset key={index} legend={`Condition ${index + 1}`}>
      <Text size="sm">
        {OUTCOMES[outcome]}
        {bucket !== null && bucket !== undefined && (
          <Text span c="dimmed">
            {` This person stands at ${(bucket * 100).toFixed(1)} %, the share is ${rolloutPercentage} %.`}
          </Text>
        )}
      </Text>
      <List size="sm" mt="xs" listStyleType="none">
        {filters.map(({ type, key, operator, expected, actual, isSet, matched }) => (
          <List.Item key={`${type} ${key} ${operator} ${JSON.stringify(expected)}`}>
            {matched ? "✓" : "✗"} {key} {toOperatorLabel(operator)} <PropertyValue of={expected} />
            <Text span c="dimmed">
              {" "}
              — has <PropertyValue of={isSet ? actual : undefined} />
            </Text>
          </List.Item>
        ))}
      </List>
    </Fieldset>
  ))
}
