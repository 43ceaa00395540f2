import { AppError } from "../../../kernel/errors.js"
import { requireLength } from "../../../kernel/text-length.js"

const MIN_LENGTH = 10
const MAX_LENGTH = 200

/** Checks a password that somebody chooses. @throws AppError invalid_input or max_length naming `attr`. */
export function checkNewPassword(password: string, attr: string, email: string): string {
  requireLength(attr, password, MAX_LENGTH)
  if ([...password].length < MIN_LENGTH)
    throw new AppError("invalid_input", { attr, detail: `A password has at least ${MIN_LENGTH} characters.` })
  if (password.toLowerCase() === email)
    throw new AppError("invalid_input", { attr, detail: "A password is something else than the e-mail address." })
  return password
}
