import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"

/** Properties as a caller writes them; none when absent. @throws AppError invalid_input unless it is an object. */
export function toProperties(value: Json | undefined): JsonObject {
  if (value === null || value === undefined) return {}
  if (isJsonObject(value)) return value
  throw new AppError("invalid_input", {
    attr: "properties",
    detail: "properties must be an object of names and values.",
  })
}
