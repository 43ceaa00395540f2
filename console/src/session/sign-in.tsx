import { Alert, Button } from "@mantine/core"
import { useLoaderData, useSearch } from "@tanstack/react-router"
import { EMAIL, PASSWORD, SessionCard, SessionForm } from "./session-form"

/** Why the provider's answer let nobody in (docs/sign-in.md#openid-connect). */
const PROBLEMS: Readonly<Record<string, string>> = {
  "oidc-address": "Your address is not verified, or not of a domain that may sign in here.",
  "oidc-unknown": "Nobody here has your address. Ask an owner to invite you.",
  "oidc-failed": "That did not work. Try again, or ask whoever runs the server to look into its log.",
}

/** Asks who somebody is, and goes on to the page that was wanted. */
export function SignIn() {
  const { next, problem } = useSearch({ from: "/sign-in" })
  const { provider, setupRequired } = useLoaderData({ from: "/sign-in" })
  const note = setupRequired
    ? "Nobody can sign in here yet: open the link that the server printed when it started. It is good for 15 minutes, and another start prints another one."
    : undefined
  return (
    <SessionCard title="Sign in to Waymark" note={note}>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {PROBLEMS[problem] ?? PROBLEMS["oidc-failed"]}
        </Alert>
      )}
      <SessionForm path="/auth/sign-in" fields={[EMAIL, PASSWORD]} button="Sign in" next={next} />
      {provider !== null && (
        <Button component="a" href="/auth/oidc/start" variant="default" fullWidth>
          Sign in with {provider}
        </Button>
      )}
    </SessionCard>
  )
}
