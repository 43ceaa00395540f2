import { Button, Group, Text } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import type { AccountQuery } from "../../graph/generated/graphql"
import { Time } from "../../ui/time"
import { Section } from "./section"
import { TurnOffTotp } from "./turn-off-totp"

// What draws its picture is wanted once in the life of an account.
const TurnOnTotp = lazy(async () => ({ default: (await import("./turn-on-totp")).TurnOnTotp }))

interface SecondFactorProps {
  readonly secondFactor: NonNullable<NonNullable<AccountQuery["me"]>["secondFactor"]>
  readonly onChanged: () => void
}

/** Whether signing in asks for a code beside the password; it is turned on and off here. */
export function SecondFactor({ secondFactor: { confirmedAt, recoveryCodesLeft }, onChanged }: SecondFactorProps) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    setOpen(false)
    onChanged()
  }
  const isOn = confirmedAt !== null
  return (
    <Section title="Second factor" note="A code of an authenticator app, which is asked for after the password.">
      <Group gap="sm">
        {isOn && (
          <Text size="sm">
            On since <Time of={confirmedAt} />. Recovery codes left: {recoveryCodesLeft.toLocaleString()}
          </Text>
        )}
        <Button variant="default" onClick={() => setOpen(true)}>
          {isOn ? "Turn it off" : "Turn it on"}
        </Button>
      </Group>
      {isOpen && <Suspense>{isOn ? <TurnOffTotp onClose={close} /> : <TurnOnTotp onClose={close} />}</Suspense>}
    </Section>
  )
}
