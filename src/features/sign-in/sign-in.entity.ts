import { defineEntity, p } from "@mikro-orm/core"
import { UserEntity } from "../access/index.js"
import type { LinkPurpose } from "./sign-in.types.js"

const PasswordSchema = defineEntity({
  name: "UserPassword",
  tableName: "user_password",
  properties: {
    user: () => p.manyToOne(UserEntity).primary(),
    hash: p.text().hidden(),
    changedAt: p.datetime(),
  },
})
/** A row of `user_password`. */
export class PasswordEntity extends PasswordSchema.class {}
PasswordSchema.setClass(PasswordEntity)

const SessionSchema = defineEntity({
  name: "BrowserSession",
  tableName: "browser_session",
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(UserEntity),
    hash: p.text().hidden(),
    userAgent: p.text(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime(),
    expiresAt: p.datetime(),
  },
})
/** A row of `browser_session`. */
export class SessionEntity extends SessionSchema.class {}
SessionSchema.setClass(SessionEntity)

const LinkSchema = defineEntity({
  name: "OneTimeLink",
  tableName: "one_time_link",
  properties: {
    hash: p.text().primary(),
    purpose: p.text().$type<LinkPurpose>(),
    user: () => p.manyToOne(UserEntity).strictNullable(),
    expiresAt: p.datetime(),
  },
})
/** A row of `one_time_link`. */
export class LinkEntity extends LinkSchema.class {}
LinkSchema.setClass(LinkEntity)

const IdentitySchema = defineEntity({
  name: "UserIdentity",
  tableName: "user_identity",
  properties: {
    issuer: p.text().primary(),
    subject: p.text().primary(),
    user: () => p.manyToOne(UserEntity),
    createdAt: p.datetime(),
  },
})
/** A row of `user_identity`. */
export class IdentityEntity extends IdentitySchema.class {}
IdentitySchema.setClass(IdentityEntity)

const TotpSchema = defineEntity({
  name: "UserTotp",
  tableName: "user_totp",
  properties: {
    user: () => p.manyToOne(UserEntity).primary(),
    secret: p.text().hidden(),
    confirmedAt: p.datetime().strictNullable(),
    lastStep: p.bigint("number"),
  },
})
/** A row of `user_totp`. */
export class TotpEntity extends TotpSchema.class {}
TotpSchema.setClass(TotpEntity)

const RecoveryCodeSchema = defineEntity({
  name: "UserRecoveryCode",
  tableName: "user_recovery_code",
  properties: {
    user: () => p.manyToOne(UserEntity).primary(),
    hash: p.text().primary(),
  },
})
/** A row of `user_recovery_code`. */
export class RecoveryCodeEntity extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCodeEntity)

/** What `openDatabase` must know of this feature. */
export const signInEntities = [
  PasswordEntity,
  SessionEntity,
  LinkEntity,
  IdentityEntity,
  TotpEntity,
  RecoveryCodeEntity,
]
