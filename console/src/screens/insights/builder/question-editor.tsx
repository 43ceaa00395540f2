import { Stack, Text } from "@mantine/core"
import { FilterEditor } from "../../../filters/filter-editor"
import { MOST_SERIES, type Question } from "../question/question"
import { BreakdownOption, MoreOptions } from "./options"
import { SeriesEditor } from "./series-editor"

interface QuestionEditorProps {
  readonly question: Question
  readonly onChange: (changed: Partial<Question>) => void
}

/** What is asked: events, filters over all of them, a breakdown, and what the kind has besides. */
export function QuestionEditor({ question, onChange }: QuestionEditorProps) {
  return (
    <Stack gap="md" className="question" component="section" aria-label="Question">
      {MOST_SERIES[question.kind] > 0 && (
        <Stack gap={6}>
          <Text size="xs" c="dimmed">
            {question.kind === "funnel" ? "Steps" : "Events"}
          </Text>
          <SeriesEditor question={question} onChange={(series) => onChange({ series })} />
        </Stack>
      )}
      <Stack gap={6}>
        <Text size="xs" c="dimmed">
          Filters
        </Text>
        <FilterEditor
          filters={question.where ?? []}
          addLabel="Filter all events"
          onChange={(where) => onChange({ where })}
        />
        <BreakdownOption question={question} onChange={onChange} />
      </Stack>
      <MoreOptions question={question} onChange={onChange} />
    </Stack>
  )
}
