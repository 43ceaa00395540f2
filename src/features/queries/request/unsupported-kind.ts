import { AppError } from "../../../kernel/errors.js"
import type { QueryObject } from "../queries.types.js"

/** The fault of a query of a kind that does not exist, or that is not to be had in the way it was asked for. */
export const unsupportedKind = ({ kind }: QueryObject): AppError =>
  new AppError("invalid_input", {
    attr: "query__kind",
    detail: `Unsupported query kind: ${kind.slice(0, 100)}`,
  })
