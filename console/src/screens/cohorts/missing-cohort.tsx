import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"

/** The page of a cohort that is not there. */
export function MissingCohort() {
  return (
    <Page title="Cohort">
      <EmptyState title="There is no such cohort" hint="It may have been deleted. Look for it in the list." />
    </Page>
  )
}
