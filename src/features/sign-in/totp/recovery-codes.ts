import type { Ids } from "../../../platform/ids/ids.js"
import { hashSecret } from "../../access/index.js"

const COUNT = 10
/** 80 random bits are not guessed, so their hash needs no work. */
const BYTES = 10

/** Ten codes to be written down, each `xxxxx-xxxxx-xxxxx-xxxxx` of hexadecimal digits. */
export const makeRecoveryCodes = (ids: Pick<Ids, "bytes">): string[] =>
  Array.from({ length: COUNT }, () =>
    ids
      .bytes(BYTES)
      .toString("hex")
      .replace(/(.{5})(?!$)/g, "$1-"),
  )

/** How a code is kept, however it was typed. */
export const hashRecoveryCode = (code: string): string => hashSecret(code.toLowerCase().replace(/[\s-]/g, ""))
