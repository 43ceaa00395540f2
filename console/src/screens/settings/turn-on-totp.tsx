import { Button, Code, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core"
import { type SubmitEvent, useState } from "react"
import { CopiedCode } from "../../ui/copied-code"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { CodeForm } from "./code-form"
import { QrCode } from "./qr-code"
import { CONFIRM_TOTP, START_TOTP } from "./totp.queries"

interface TurnOnTotpProps {
  readonly onClose: () => void
}

/** Turns a second factor on: the password, then a code of the authenticator, then the recovery codes, shown once. */
export function TurnOnTotp({ onClose }: TurnOnTotpProps) {
  const [currentPassword, setPassword] = useState("")
  const [enrolment, setEnrolment] = useState<{ readonly secret: string; readonly uri: string } | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  const begun = useChange(START_TOTP, ({ startTotp }) => startTotp)
  const confirmed = useChange(CONFIRM_TOTP, ({ confirmTotp }) => confirmTotp)
  const begin = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setEnrolment((await begun.change({ currentPassword }))?.startTotp?.enrolment ?? null)
  }
  const confirm = async (code: string): Promise<void> =>
    setRecoveryCodes((await confirmed.change({ code }))?.confirmTotp?.recoveryCodes ?? null)
  return (
    <Modal opened onClose={onClose} title="Turn on a second factor">
      {recoveryCodes !== null ? (
        <Stack gap="sm">
          <Text size="sm">
            It is on. Keep these recovery codes, each of which takes the place of one code of the authenticator. They
            are shown this once.
          </Text>
          <CopiedCode label="the recovery codes" code={recoveryCodes.join("\n")} />
          <Button style={{ alignSelf: "flex-end" }} onClick={onClose}>
            I have kept them
          </Button>
        </Stack>
      ) : enrolment === null ? (
        <form onSubmit={(event) => void begin(event)}>
          <Stack gap="sm">
            <PasswordInput
              label="Your password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              data-autofocus
              value={currentPassword}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <Problem of={begun.problem} />
            <Button type="submit" loading={begun.isChanging} style={{ alignSelf: "flex-end" }}>
              Go on
            </Button>
          </Stack>
        </form>
      ) : (
        <Stack gap="sm">
          <Text size="sm">Let your authenticator app read this, or type the secret into it.</Text>
          <Group justify="center">
            <QrCode text={enrolment.uri} label="QR code for the authenticator" />
          </Group>
          <Code aria-label="Secret" style={{ overflowWrap: "anywhere" }}>
            {enrolment.secret}
          </Code>
          <CodeForm
            label="The code that it shows now"
            button="Turn it on"
            isSending={confirmed.isChanging}
            problem={confirmed.problem}
            onCode={(code) => void confirm(code)}
          />
        </Stack>
      )}
    </Modal>
  )
}
