import { Fieldset, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { useProject } from "./project"

/** Fields of what members change. A viewer sees them too, with the reason why they cannot be changed. */
export function MemberFieldset({ children }: { readonly children: ReactNode }) {
  const { mayWrite } = useProject()
  return (
    <Fieldset variant="unstyled" m={0} miw={0} disabled={!mayWrite}>
      {!mayWrite && (
        <Text size="sm" mb="md">
          Viewers read this. Members of the organization change it.
        </Text>
      )}
      {children}
    </Fieldset>
  )
}
