import { Stack } from "@mantine/core"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { KEYS } from "./keys.queries"
import { PersonalKeys } from "./personal-keys"
import { ProjectKeys } from "./project-keys"
import { SecretKeys } from "./secret-keys"

/** One's own keys, and those of the project. */
export function Keys({ mayChange }: { readonly mayChange: boolean }) {
  const { id } = useProject()
  const answer = useQuery({ query: KEYS, variables: { number: Number(id) }, requestPolicy: "cache-and-network" })
  const askAgain = (): void => answer[1]({ requestPolicy: "network-only" })
  return (
    <Answer of={answer}>
      {({ personalApiKeys, project }) => (
        <Stack gap="xl">
          <PersonalKeys keys={personalApiKeys ?? []} onChanged={askAgain} />
          <ProjectKeys keys={project?.keys ?? []} mayChange={mayChange} onChanged={askAgain} />
          <SecretKeys keys={project?.secretKeys ?? []} mayChange={mayChange} onChanged={askAgain} />
        </Stack>
      )}
    </Answer>
  )
}
