import type { JsonObject } from "../../../kernel/json.js"
import { type AuditedFields, listChanges } from "../../access/index.js"
import type { Flag } from "../flags.types.js"
import { redactChange } from "./payload-secrets.js"

/** Fields of flags that the audit log has, by their names there. */
export const AUDITED: AuditedFields = {
  key: "key",
  name: "name",
  filters: "filters",
  active: "active",
  deleted: "deleted",
  ensure_experience_continuity: "ensureExperienceContinuity",
  bucketing_identifier: "bucketingIdentifier",
  evaluation_runtime: "evaluationRuntime",
  evaluation_contexts: "evaluationContexts",
  tags: "tags",
  is_remote_configuration: "isRemoteConfiguration",
  has_encrypted_payloads: "hasEncryptedPayloads",
}

/** What is different of a flag after a change, as the audit log has it: payloads that are secret, or were, are left out. */
export function listFlagChanges(before: Readonly<Flag>, after: Readonly<Flag>): JsonObject[] {
  const changes = listChanges(AUDITED, before, after)
  return before.hasEncryptedPayloads || after.hasEncryptedPayloads ? changes.map(redactChange) : changes
}
