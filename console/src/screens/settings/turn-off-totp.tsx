import { Modal } from "@mantine/core"
import { useChange } from "../../ui/use-change"
import { CodeForm } from "./code-form"
import { REMOVE_TOTP } from "./totp.queries"

/** Turns the second factor off, by one of its codes. */
export function TurnOffTotp({ onClose }: { readonly onClose: () => void }) {
  const { change, isChanging, problem } = useChange(REMOVE_TOTP, ({ removeTotp }) => removeTotp)
  const turnOff = async (code: string): Promise<void> => {
    if ((await change({ code })) !== null) onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Turn off the second factor">
      <CodeForm
        label="The code that your authenticator shows, or a recovery code"
        button="Turn it off"
        isSending={isChanging}
        problem={problem}
        onCode={(code) => void turnOff(code)}
      />
    </Modal>
  )
}
