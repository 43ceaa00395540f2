/** A refusal in the form in which ClickHouse gives it, whether by the engine or by the child in its name. */
export class EngineException extends Error {
  readonly code: number
  readonly httpStatus: number

  /** `sentence` is what stands between `DB::Exception:` and the name in brackets. */
  constructor(code: number, errorName: string, sentence: string) {
    super(`Code: ${code}. DB::Exception: ${sentence} (${errorName})`)
    this.name = "EngineException"
    this.code = code
    this.httpStatus = toHttpStatus(code)
  }
}

const WHOLE =
  /^(?:Query failed: )?Code: (\d+)\. DB::Exception: ([\s\S]*?)\s*\(([A-Z][A-Z0-9_]+)\)\s*(?:\(version [^)]*\))?\s*$/
/** The addon wraps some errors of the engine in a second layer of the same code. */
const INNER = /^Code: \d+\. DB::Exception: ([\s\S]*?)\s*\([A-Z][A-Z0-9_]+\)\s*(?:\(version [^)]*\))?\.?$/
const UNKNOWN_EXCEPTION = 1002

/** Reads what the addon threw. A message of unknown form keeps its text under ClickHouse's UNKNOWN_EXCEPTION. */
export function toEngineException(thrown: unknown): EngineException {
  if (thrown instanceof EngineException) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const match = WHOLE.exec(message)
  if (match === null) return new EngineException(UNKNOWN_EXCEPTION, "UNKNOWN_EXCEPTION", message.trim())
  const [, code, sentence = "", errorName = ""] = match
  return new EngineException(Number(code), errorName, INNER.exec(sentence)?.[1] ?? sentence)
}

/** The table by which ClickHouse's HTTP interface turns error codes into statuses; every other code is 500. */
const STATUS_BY_CODE: ReadonlyMap<number, number> = new Map([
  ...withStatus(400, [6, 25, 26, 27, 36, 38, 41, 44, 53, 62, 72, 117, 167, 168, 190, 321, 376, 427, 441, 675, 676]),
  ...withStatus(401, [194]),
  ...withStatus(403, [192, 193, 497, 511, 516]),
  ...withStatus(404, [46, 47, 50, 56, 60, 63, 73, 81, 115]),
  ...withStatus(413, [307]),
  ...withStatus(501, [48]),
  ...withStatus(503, [202, 439]),
])

function withStatus(status: number, codes: readonly number[]): [number, number][] {
  return codes.map((code) => [code, status])
}

function toHttpStatus(code: number): number {
  return STATUS_BY_CODE.get(code) ?? 500
}
