import { AppError } from "../../kernel/errors.js"

const tooLarge = (detail: string): AppError => new AppError("payload_too_large", { detail })

/** The 413 of every endpoint that takes a body; `maxBytes` counts bytes on the wire. */
export const bodyTooLarge = (maxBytes: number): AppError =>
  tooLarge(`The request body is larger than ${maxBytes} bytes.`)

/** The 413 of a body that grows past its limit while it is decompressed. */
export const inflatedTooLarge = (maxBytes: number): AppError =>
  tooLarge(`The decompressed request body is larger than ${maxBytes} bytes.`)

/** The 413 of a JSON body that has more than so many of something. */
export const jsonTooLarge = (limit: string): AppError => tooLarge(`The request body has more than ${limit}.`)

/** The 400 of bytes that are not what they were announced to be. */
export const undecodable = (reason: string, cause?: unknown): AppError =>
  new AppError("malformed_data", { detail: `The request body failed to decode: ${reason}`, cause })

/** The 400 of a text that is not the JSON it should be. */
const unparsable = (reason: string): AppError =>
  new AppError("malformed_data", { detail: `The request body failed to parse: ${reason}` })

/** `unparsable` for what is no JSON at all. */
export const invalidJson = (): AppError => unparsable("it is not valid JSON.")

/** `unparsable` for arrays and objects within each other. */
export const jsonTooDeep = (maxDepth: number): AppError => unparsable(`it nests deeper than ${maxDepth} levels.`)
