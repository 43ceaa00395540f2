import { Alert, Button } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useMutation } from "urql"
import { graphql } from "../graph/graphql"
import { describeFailure } from "../ui/failure"
import { signOut, type User, useUser } from "./session"
import { EMAIL, NAME, NEW_PASSWORD, SessionCard, SessionForm } from "./session-form"

const ACCEPT = graphql(`
  mutation AcceptInvitation($token: String!) {
    acceptInvitation(input: { token: $token }) {
      accepted {
        organizationId
      }
      userErrors {
        message
      }
    }
  }
`)

/** Where the link of the server's start leads: the first owner chooses how to sign in. */
export function Welcome() {
  const { token } = useSearch({ from: "/welcome" })
  return (
    <SessionCard title="Welcome to Waymark" note="You will be the owner. Choose how you sign in from now on.">
      <SessionForm
        path="/auth/first-owner"
        token={token}
        fields={[EMAIL, NAME, NEW_PASSWORD]}
        button="Create your account"
      />
    </SessionCard>
  )
}

/** Where the link of an invitation leads. */
export function Invitation() {
  const { token } = useSearch({ from: "/invitation" })
  const user = useUser()
  return user === null ? (
    <SessionCard
      title="You are invited"
      note="Choose a name and a password. If you have an account here already, enter the password that it has."
    >
      <SessionForm path="/auth/invitation" token={token} fields={[NAME, NEW_PASSWORD]} button="Join" />
    </SessionCard>
  ) : (
    <JoinAs user={user} token={token} />
  )
}

/** Somebody who is signed in joins as who they are. */
function JoinAs({ user, token }: { readonly user: User; readonly token: string }) {
  const navigate = useNavigate()
  const [{ data, error, fetching }, accept] = useMutation(ACCEPT)
  const refusal = error === undefined ? data?.acceptInvitation?.userErrors[0]?.message : describeFailure(error).title
  const join = async (): Promise<void> => {
    const { data: answer } = await accept({ token })
    if (answer?.acceptInvitation?.accepted != null) await navigate({ to: "/", replace: true })
  }
  return (
    <SessionCard title="You are invited" note={`You are signed in as ${user.email}.`}>
      {refusal !== undefined && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      <Button onClick={() => void join()} loading={fetching} fullWidth>
        Join as {user.email}
      </Button>
      <Button variant="default" onClick={() => void signOut()} fullWidth>
        Use another account
      </Button>
    </SessionCard>
  )
}

/** Where the link leads with which somebody chooses another password. */
export function ResetPassword() {
  const { token } = useSearch({ from: "/reset-password" })
  return (
    <SessionCard title="Choose another password" note="It signs you out everywhere else.">
      <SessionForm path="/auth/reset-password" token={token} fields={[NEW_PASSWORD]} button="Save and sign in" />
    </SessionCard>
  )
}
