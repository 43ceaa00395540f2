import { Stack } from "@mantine/core"
import { useQuery } from "urql"
import { Answer } from "../../ui/answer"
import { ACCOUNT } from "./account.queries"
import { PasswordForm } from "./password-form"
import { ProfileForm } from "./profile-form"
import { SecondFactor } from "./second-factor"
import { Sessions } from "./sessions"

/** What is one's own: name, password, second factor and the browsers in which one is signed in. */
export function Account() {
  const answer = useQuery({ query: ACCOUNT, requestPolicy: "cache-and-network" })
  const askAgain = (): void => answer[1]({ requestPolicy: "network-only" })
  return (
    <Answer of={answer}>
      {({ me }) =>
        me && (
          <Stack gap="xl">
            <ProfileForm me={me} />
            <PasswordForm email={me.email} onChanged={askAgain} />
            {me.secondFactor !== null && <SecondFactor secondFactor={me.secondFactor} onChanged={askAgain} />}
            <Sessions sessions={me.sessions} onChanged={askAgain} />
          </Stack>
        )
      }
    </Answer>
  )
}
