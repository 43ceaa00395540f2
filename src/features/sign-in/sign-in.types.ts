import type { UserId } from "../../kernel/ids.js"

/** What a one-time link opens. */
export type LinkPurpose = "first owner" | "reset password"

/** Who is signed in, as pages show it. */
export interface SignedInUser {
  readonly id: UserId
  readonly email: string
  readonly name: string
}

/** A session that was just begun; the browser keeps the token, the store its hash. */
export interface NewSession {
  readonly token: string
  readonly user: SignedInUser
}

/** Where somebody signs in from. */
export interface Visitor {
  /** The address that limits count by. */
  readonly senderIp: string
  readonly userAgent: string
}

/** A link with its token, which is not stored. */
export interface IssuedLink {
  readonly url: string
  readonly expiresAt: Date
}
