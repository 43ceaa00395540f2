import type { EvaluationRuntime } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"
import { toStorableText } from "../../../kernel/json.js"
import type { FlagChanges, FlagRequest } from "../flags.types.js"

const MAX_KEY_LENGTH = 400
const MAX_NAME_LENGTH = 10_000
const MAX_CONTEXTS = 50
const MAX_CONTEXT_LENGTH = 255
const KEY = /^[A-Za-z0-9_.-]+$/
const RUNTIMES = ["all", "client", "server"] as const
const IDENTIFIERS = ["distinct_id", "device_id"] as const

/**
 * Checks the plain fields of a flag as they are saved; absent ones stay absent.
 * @throws AppError null, blank, max_length, invalid_choice or invalid_input naming the field.
 */
export function checkFields(written: FlagRequest): FlagChanges {
  const request = withNullsRead(written)
  const { key, name, active, deleted, ensureExperienceContinuity, isRemoteConfiguration, hasEncryptedPayloads } =
    request
  return {
    ...(key != null && { key: checkKey(key) }),
    ...(name != null && { name: toStorableText(checkLength("name", name, MAX_NAME_LENGTH)) }),
    ...(active != null && { active }),
    ...(deleted != null && { deleted }),
    ...(ensureExperienceContinuity != null && { ensureExperienceContinuity }),
    ...(isRemoteConfiguration != null && { isRemoteConfiguration }),
    ...(hasEncryptedPayloads != null && { hasEncryptedPayloads }),
    ...(request.evaluationRuntime != null && {
      evaluationRuntime: checkRuntime(request.evaluationRuntime),
    }),
    ...(request.bucketingIdentifier != null && {
      bucketingIdentifier: checkChoice("bucketing_identifier", request.bucketingIdentifier, IDENTIFIERS),
    }),
    ...(request.evaluationContexts != null && {
      evaluationContexts: checkTexts("evaluation_contexts", request.evaluationContexts),
    }),
    ...(request.tags != null && { tags: checkTexts("tags", request.tags) }),
  }
}

/** @throws AppError invalid_choice. */
export const checkRuntime = (text: string): EvaluationRuntime => checkChoice("evaluation_runtime", text, RUNTIMES)

/** What null means for the fields that may be cleared. */
const CLEARED = {
  bucketingIdentifier: "distinct_id",
  evaluationRuntime: "all",
  ensureExperienceContinuity: false,
  isRemoteConfiguration: false,
  hasEncryptedPayloads: false,
} as const

function withNullsRead(request: FlagRequest): FlagRequest {
  const cleared: Record<string, unknown> = { ...request }
  for (const [field, value] of Object.entries(request)) {
    if (value !== null) continue
    if (!(field in CLEARED)) throw new AppError("null", { attr: toWireName(field) })
    cleared[field] = CLEARED[field as keyof typeof CLEARED]
  }
  return cleared as FlagRequest
}

const toWireName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function checkKey(key: string): string {
  if (key.trim() === "") throw new AppError("blank", { attr: "key" })
  checkLength("key", key, MAX_KEY_LENGTH)
  if (!KEY.test(key))
    throw new AppError("invalid_input", {
      attr: "key",
      detail: "key may hold only letters, digits, hyphens, underscores and dots.",
    })
  return key
}

function checkLength(field: string, text: string, max: number): string {
  if (text.length <= max) return text
  throw new AppError("max_length", { attr: field, detail: `Ensure this field has no more than ${max} characters.` })
}

function checkTexts(field: string, texts: readonly string[]): string[] {
  if (texts.length > MAX_CONTEXTS)
    throw new AppError("max_length", {
      attr: field,
      detail: `Ensure this field has no more than ${MAX_CONTEXTS} entries.`,
    })
  return [...new Set(texts.map((text) => toStorableText(checkLength(field, text, MAX_CONTEXT_LENGTH))))]
}

function checkChoice<Choice extends string>(field: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === value)
  if (choice !== undefined) return choice
  throw new AppError("invalid_choice", {
    attr: field,
    detail: `"${value}" is not a valid choice; use one of ${choices.join(", ")}.`,
  })
}
