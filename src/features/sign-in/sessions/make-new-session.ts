import { toStorableText } from "../../../kernel/json.js"
import { cutText } from "../../../kernel/text-length.js"
import type { Platform } from "../../../platform/platform.types.js"
import { hashSecret } from "../../access/index.js"
import type { Visitor } from "../sign-in.types.js"
import type { SessionToStore } from "./session.repository.js"
import { SESSION_LIVES_MS, SESSION_PREFIX } from "./session-authenticator.js"

const MAX_USER_AGENT_LENGTH = 300

/** Makes a session that begins now: the token for the browser, and what is stored of it. */
export function makeNewSession(
  { clock, ids }: Pick<Platform, "clock" | "ids">,
  { userAgent }: Visitor,
): { readonly token: string; readonly stored: SessionToStore } {
  const token = ids.secret(SESSION_PREFIX)
  const stored = {
    id: ids.uuidV7(),
    hash: hashSecret(token),
    userAgent: cutText(toStorableText(userAgent), MAX_USER_AGENT_LENGTH),
    expiresAt: new Date(clock.now() + SESSION_LIVES_MS),
  }
  return { token, stored }
}
