import { isJsonObject } from "../../../kernel/json.js"
import type { CredentialSource, CredentialSources } from "../access.types.js"

const BEARER = /^Bearer\s+(\S.*)$/i

/**
 * Finds the personal key of a request. The first place that has one wins, also when the key there turns out to be bad:
 * header, then body, then query string (`docs/contract/management.md#keys`).
 */
export function findCredential({
  authorization,
  body,
  queryParameter,
}: CredentialSources): { readonly value: string; readonly source: CredentialSource } | null {
  const bearer = BEARER.exec(authorization?.trim() ?? "")?.[1]
  if (bearer !== undefined) return { value: bearer, source: "Authorization header" }
  const inBody = isJsonObject(body) ? body.personal_api_key : undefined
  if (isFilled(inBody)) return { value: inBody, source: "body" }
  if (isFilled(queryParameter)) return { value: queryParameter, source: "query string" }
  return null
}

const isFilled = (value: unknown): value is string => typeof value === "string" && value !== ""
