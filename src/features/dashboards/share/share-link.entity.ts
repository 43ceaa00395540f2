import { defineEntity, p } from "@mikro-orm/core"
import { UserEntity } from "../../access/index.js"
import { DashboardEntity } from "../dashboard.entity.js"

const ShareLinkSchema = defineEntity({
  name: "DashboardShareLink",
  tableName: "dashboard_share_link",
  properties: {
    id: p.uuid().primary(),
    dashboard: () => p.manyToOne(DashboardEntity),
    label: p.string(),
    tokenHash: p.text(),
    maskedToken: p.text(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
    expiresAt: p.datetime(),
    revokedAt: p.datetime().strictNullable(),
  },
})
/** A row of `dashboard_share_link`. */
export class ShareLinkEntity extends ShareLinkSchema.class {}
ShareLinkSchema.setClass(ShareLinkEntity)
