import { BLOCK_BYTES, GROUP, LANES, MAX_MESSAGE_BYTES, sha1Module } from "./sha1-code.js"

/** What one lane of a group hashes besides the identifier. */
export interface LaneMessage {
  readonly prefix: string
  readonly salt: string
}

/** Up to four prefixes that are hashed together with an identifier. */
export interface LaneGroup {
  /** SHA-1 of prefix, identifier and salt as a fraction from 0 to 1; negative when the identifier is too long for that. */
  fractionOf(lane: number, identifier: string): number
}

export interface Sha1Lanes {
  readonly width: number
  fits(prefix: string, salt: string): boolean
  createGroup(members: readonly LaneMessage[]): LaneGroup
}

/** What the compiler is not told about by Node's types. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; run(group: number, bits: number): void }
  }
}

const PAGE_BYTES = 64 * 1024
/** Room for 900 groups; beyond that, those in use take the place of others. */
const MEMORY_PAGES = 8
const SALT = "variant"
/** Where the text begins without salt and with it; as many zeros before and behind as two blocks have bytes. */
const PLAIN_AT = 2 * BLOCK_BYTES
const SALTED_AT = 6 * BLOCK_BYTES
const GROUPS_AT = 8 * BLOCK_BYTES
const END_OF_MESSAGE = 0x80
const MAX_TEXT_BYTES = MAX_MESSAGE_BYTES - SALT.length

/**
 * Hashing in groups of four by WebAssembly (`sha1-code.ts`): a fourth of the time of one after the other in JavaScript
 * (decision 0021). Null where the process may not make code, and `sha1Fraction` has to do.
 */
export function createSha1Lanes(): Sha1Lanes | null {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly
  if (api === undefined) return null
  try {
    const { exports } = new api.Instance(new api.Module(sha1Module(MEMORY_PAGES)))
    return new Lanes(exports.memory.buffer, exports.run)
  } catch {
    // Too little address space, or a Node started without WebAssembly: it only takes longer without.
    return null
  }
}

class Lanes implements Sha1Lanes {
  readonly width = LANES
  readonly bytes: Uint8Array
  readonly fractions: Float64Array
  readonly run: (group: number, bits: number) => void
  /** Changes when all groups have lost their places. */
  era = 0
  #nextPlace = GROUPS_AT
  #text = ""
  #textBits = 0

  constructor(memory: ArrayBuffer, run: (group: number, bits: number) => void) {
    this.bytes = new Uint8Array(memory)
    this.fractions = new Float64Array(memory)
    this.run = run
  }

  fits(prefix: string, salt: string): boolean {
    return (salt === "" || salt === SALT) && Buffer.byteLength(prefix) + salt.length < MAX_MESSAGE_BYTES
  }

  createGroup(members: readonly LaneMessage[]): LaneGroup {
    return new Group(this, members)
  }

  /** Puts a group into memory and returns where it is. */
  place(content: Uint8Array): number {
    if (this.#nextPlace + GROUP.bytes > PAGE_BYTES * MEMORY_PAGES) {
      this.era++
      this.#nextPlace = GROUPS_AT
    }
    const at = this.#nextPlace
    this.#nextPlace += GROUP.bytes
    this.bytes.set(content, at)
    return at
  }

  /** Puts a text between the zeros, with salt and without; returns its length in bits, negative when it is too long. */
  load(text: string): number {
    if (text !== this.#text) {
      this.#text = text
      this.#textBits = this.#write(text) * 8
    }
    return this.#textBits
  }

  #write(text: string): number {
    if (text.length > MAX_TEXT_BYTES) return -1
    const { bytes } = this
    let length = text.length
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code > 127) {
        const encoded = Buffer.from(text)
        if (encoded.length > MAX_TEXT_BYTES) return -1
        bytes.set(encoded, PLAIN_AT)
        length = encoded.length
        break
      }
      bytes[PLAIN_AT + index] = code
    }
    bytes.fill(0, PLAIN_AT + length, PLAIN_AT + 2 * BLOCK_BYTES)
    bytes.copyWithin(SALTED_AT, PLAIN_AT, PLAIN_AT + 2 * BLOCK_BYTES)
    bytes[PLAIN_AT + length] = END_OF_MESSAGE
    for (let index = 0; index < SALT.length; index++) bytes[SALTED_AT + length + index] = SALT.charCodeAt(index)
    bytes[SALTED_AT + length + SALT.length] = END_OF_MESSAGE
    return length
  }
}

class Group implements LaneGroup {
  readonly #lanes: Lanes
  /** As it lies in memory. */
  readonly #content: Uint8Array
  /** Bits an identifier may have, by lane. */
  readonly #maxTextBits: readonly number[]
  #at = 0
  #era = -1
  #identifier = ""
  #textBits = 0

  constructor(lanes: Lanes, members: readonly LaneMessage[]) {
    this.#lanes = lanes
    this.#content = contentOf(members)
    this.#maxTextBits = members.map(
      ({ prefix, salt }) => (MAX_MESSAGE_BYTES - Buffer.byteLength(prefix) - salt.length) * 8,
    )
  }

  fractionOf(lane: number, identifier: string): number {
    const lanes = this.#lanes
    if (identifier !== this.#identifier || this.#era !== lanes.era) this.#hash(identifier)
    if (this.#textBits < 0 || this.#textBits > (this.#maxTextBits[lane] as number)) return -1
    return lanes.fractions[(this.#at + GROUP.fractions) / 8 + lane] as number
  }

  #hash(identifier: string): void {
    const lanes = this.#lanes
    if (this.#era !== lanes.era) {
      this.#at = lanes.place(this.#content)
      this.#era = lanes.era
    }
    this.#textBits = lanes.load(identifier)
    if (this.#textBits >= 0) lanes.run(this.#at, this.#textBits)
    this.#identifier = identifier
  }
}

function contentOf(members: readonly LaneMessage[]): Uint8Array {
  const content = Buffer.alloc(GROUP.bytes)
  for (let lane = 0; lane < LANES; lane++) {
    const { prefix, salt } = members[lane] ?? { prefix: "", salt: "" }
    const length = content.write(prefix, GROUP.prefixes + lane * 2 * BLOCK_BYTES)
    content.writeInt32LE((salt === "" ? PLAIN_AT : SALTED_AT) - length, GROUP.textAddresses + lane * 4)
    content.writeInt32LE((length + salt.length) * 8, GROUP.fixedBits + lane * 4)
  }
  return content
}
