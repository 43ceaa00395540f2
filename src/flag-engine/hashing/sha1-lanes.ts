import { BLOCK_BYTES, GROUP, LANES, MAX_MESSAGE_BYTES, sha1Module } from "./sha1-code.js"

/** What is hashed besides the identifier. */
export interface FixedText {
  readonly prefix: string
  readonly salt: string
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
/** Room for 14,000 hashes. */
const MEMORY_PAGES = 32
const SALT = "variant"
/** Where the text begins without salt and with it; as many zeros before and behind as two blocks have bytes. */
const PLAIN_AT = 2 * BLOCK_BYTES
const SALTED_AT = 6 * BLOCK_BYTES
const GROUPS_AT = 8 * BLOCK_BYTES
const END_OF_MESSAGE = 0x80
const MAX_TEXT_BYTES = MAX_MESSAGE_BYTES - SALT.length

/**
 * Memory and code for hashing in groups of four (`sha1-code.ts`), which takes a fifth of the time of one after the other
 * in JavaScript (decision 0027). Null where the process may not make code, and `sha1Fraction` has to do.
 */
export function createSha1Lanes(): Sha1Lanes | null {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly
  if (api === undefined) return null
  try {
    const { exports } = new api.Instance(new api.Module(sha1Module(MEMORY_PAGES)))
    return new Sha1Lanes(exports.memory.buffer, exports.run)
  } catch {
    // Too little address space, or a Node started without WebAssembly: it only takes longer without.
    return null
  }
}

/** One text at a time, and as many batches as there is room for. */
class Sha1Lanes {
  readonly fractions: Float64Array
  readonly run: (group: number, bits: number) => void
  /** Counts the texts that were loaded: what was hashed before the last of them is of another text. */
  textNumber = 0
  /** Length of the text; negative when it is too long for two blocks. */
  textBits = 0
  text = ""
  /** Changes when all batches have lost their places. */
  era = 0
  readonly #bytes: Uint8Array
  #nextPlace = GROUPS_AT

  constructor(memory: ArrayBuffer, run: (group: number, bits: number) => void) {
    this.#bytes = new Uint8Array(memory)
    this.fractions = new Float64Array(memory)
    this.run = run
  }

  /** Puts a batch into memory, in the place of all others when there is no more room, and returns where it is. */
  place(content: Uint8Array): number {
    if (this.#nextPlace + content.length > this.#bytes.length) {
      this.era++
      this.#nextPlace = GROUPS_AT
    }
    const at = this.#nextPlace
    this.#nextPlace += content.length
    this.#bytes.set(content, at)
    return at
  }

  /** Puts a text between the zeros, with salt and without. */
  load(text: string): void {
    this.text = text
    this.textNumber++
    this.textBits = this.#write(text) * 8
  }

  /** Returns how many bytes the text has, or -1. */
  #write(text: string): number {
    if (text.length > MAX_TEXT_BYTES) return -1
    const bytes = this.#bytes
    let length = text.length
    for (let index = 0; index < text.length; index++) {
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

/** Hashes of one text behind many prefixes. A group of four is hashed when one of them is asked for. */
export class HashBatch {
  static readonly MAX_MEMBERS = Math.floor((MEMORY_PAGES * PAGE_BYTES - GROUPS_AT) / GROUP.bytes) * LANES

  readonly #lanes: Sha1Lanes
  readonly #content: Uint8Array
  /** Bits a text may have, by member. */
  readonly #maxTextBits: Int32Array
  /** The text that a group was hashed with last. */
  readonly #textNumbers: Float64Array
  #at = 0
  #era = -1

  /** @param members at most `MAX_MEMBERS`, each of which `fits`; those of about the same length best side by side. */
  constructor(lanes: Sha1Lanes, members: readonly FixedText[]) {
    const groups = Math.ceil(members.length / LANES)
    this.#lanes = lanes
    this.#textNumbers = new Float64Array(groups)
    this.#maxTextBits = new Int32Array(members.length)
    const content = Buffer.alloc(groups * GROUP.bytes)
    for (let index = 0; index < groups * LANES; index++)
      this.#maxTextBits[index] = writeMember(content, index, members[index] ?? { prefix: "", salt: "" })
    this.#content = content
  }

  static fits({ prefix, salt }: FixedText): boolean {
    return (salt === "" || salt === SALT) && Buffer.byteLength(prefix) + salt.length < MAX_MESSAGE_BYTES
  }

  /** SHA-1 of a member with a text as a fraction from 0 to 1; negative when the message is too long for that. */
  fractionOf(member: number, text: string): number {
    const lanes = this.#lanes
    if (text !== lanes.text) lanes.load(text)
    if (lanes.textBits < 0 || lanes.textBits > (this.#maxTextBits[member] as number)) return -1
    const group = member >> 2
    if (this.#textNumbers[group] !== lanes.textNumber || this.#era !== lanes.era) this.#hash(group)
    return lanes.fractions[(this.#at + group * GROUP.bytes + GROUP.fractions) / 8 + (member & 3)] as number
  }

  #hash(group: number): void {
    const lanes = this.#lanes
    if (this.#era !== lanes.era) {
      this.#at = lanes.place(this.#content)
      this.#era = lanes.era
      this.#textNumbers.fill(0)
    }
    lanes.run(this.#at + group * GROUP.bytes, lanes.textBits)
    this.#textNumbers[group] = lanes.textNumber
  }
}

/** Writes a member as `sha1-code.ts` reads it; returns how many bits a text behind it may have. */
function writeMember(content: Buffer, member: number, { prefix, salt }: FixedText): number {
  const group = Math.floor(member / LANES) * GROUP.bytes
  const lane = member % LANES
  const length = content.write(prefix, group + GROUP.prefixes + lane * 2 * BLOCK_BYTES)
  content.writeInt32LE((salt === "" ? PLAIN_AT : SALTED_AT) - length, group + GROUP.textAddresses + lane * 4)
  content.writeInt32LE((length + salt.length) * 8, group + GROUP.fixedBits + lane * 4)
  return (MAX_MESSAGE_BYTES - length - salt.length) * 8
}
