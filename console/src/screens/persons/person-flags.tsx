import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { DecidedFlags } from "../../tables/decided-flags"
import { Answer } from "../../ui/answer"
import { PERSON_FLAGS } from "./persons.queries"

/** What every flag is for the person, decided anew, and why. */
export function PersonFlags({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const answer = useQuery({ query: PERSON_FLAGS, variables: { projectId, uuid }, requestPolicy: "network-only" })
  return (
    <Answer of={answer}>
      {({ person }) => (
        <DecidedFlags
          flags={person?.flags ?? []}
          emptyHint="The project has no flag that could be decided for this person."
        />
      )}
    </Answer>
  )
}
