import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { AdminFieldset } from "./admin-fieldset"
import { CaptureRestrictions } from "./capture-restrictions"
import { EVENT_SETTINGS } from "./event-settings.queries"
import { PathCleaning } from "./path-cleaning"
import { TestAccounts } from "./test-accounts"

/** What becomes of events: which are of test accounts, how their paths are written, and which are treated otherwise. */
export function EventSettings({ mayChange }: { readonly mayChange: boolean }) {
  const { id } = useProject()
  const answer = useQuery({
    query: EVENT_SETTINGS,
    variables: { number: Number(id) },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ project }) =>
        project && (
          <AdminFieldset mayChange={mayChange} width={640}>
            <TestAccounts stored={Object(project.settings.raw).test_account_filters} />
            <PathCleaning rules={project.pathCleaningFilters} />
            <CaptureRestrictions restrictions={project.settings.captureRestrictions ?? []} />
          </AdminFieldset>
        )
      }
    </Answer>
  )
}
