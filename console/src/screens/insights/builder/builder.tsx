import "./builder.css"
import { Button, Group, Paper, Skeleton, Stack } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { useQuery } from "urql"
import { DateRange } from "../../../filters/date-range"
import { useProject } from "../../../project/project"
import type { Chosen } from "../../../results/chosen"
import { ExportMenu } from "../../../results/export-menu"
import { ResultPicture } from "../../../results/lazy-result-picture"
import { Answer } from "../../../ui/answer"
import { ASK } from "../insights.queries"
import type { Question } from "../question/question"
import { toQueryInput } from "../question/to-input"
import { KindTabs } from "./kind-tabs"
import { IntervalOption, ViewOption } from "./options"
import { QuestionEditor } from "./question-editor"

const PersonsBehind = lazy(async () => ({ default: (await import("./persons-behind")).PersonsBehind }))
const SourceDialog = lazy(async () => ({ default: (await import("./source-dialog")).SourceDialog }))

interface BuilderProps {
  readonly question: Question
  readonly onChange: (question: Question) => void
}

/** A question beside the picture of its answer, which is asked for anew with each change. */
export function Builder({ question, onChange }: BuilderProps) {
  const { id: projectId } = useProject()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isSourceShown, setSourceShown] = useState(false)
  const input = toQueryInput(question)
  const answer = useQuery({ query: ASK, variables: { projectId, input }, requestPolicy: "cache-and-network" })
  const result = answer[0].data?.query ?? null
  const change = (changed: Partial<Question>): void => onChange({ ...question, ...changed })
  const { kind, view } = question
  const trendView = kind === "trends" && view !== "steps" && view !== "time" ? (view ?? "lines") : undefined
  return (
    <Stack gap="sm">
      <KindTabs kind={kind} onChange={(chosenKind) => change({ kind: chosenKind, view: undefined })} />
      <div className="builder">
        <QuestionEditor question={question} onChange={change} />
        <Paper
          withBorder
          p="md"
          className="answer"
          aria-busy={answer[0].fetching}
          component="section"
          aria-label="Answer"
        >
          <Group gap="xs" mb="sm">
            <DateRange dates={question} onChange={change} />
            <IntervalOption question={question} onChange={change} />
            <ViewOption question={question} onChange={change} />
            <Group gap={4} ml="auto">
              <ExportMenu variant="subtle" color="gray" query={result && input} />
              <Button variant="subtle" color="gray" onClick={() => setSourceShown(true)}>
                As a query
              </Button>
            </Group>
          </Group>
          <Answer of={answer} skeleton={<Skeleton height={320} />}>
            {({ query }) =>
              query === null ? null : <ResultPicture result={query} view={trendView} onChosen={setChosen} />
            }
          </Answer>
        </Paper>
      </div>
      {chosen !== null && (
        <Suspense>
          <PersonsBehind question={question} chosen={chosen} onClose={() => setChosen(null)} />
        </Suspense>
      )}
      {isSourceShown && (
        <Suspense>
          <SourceDialog onClose={() => setSourceShown(false)} input={input} result={result} />
        </Suspense>
      )}
    </Stack>
  )
}
