import type { CreateHashBatch, HashBatch, HashInput } from "./hash-batch.types.js"
import { hashIdentifier } from "./hash-identifier.js"
import { BLOCK_BYTES, GROUP, LANES, MAX_MESSAGE_BYTES, simdSha1Module } from "./simd-sha1.js"

/** The part of WebAssembly that is used here; Node's types have none of it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; run(group: number, bits: number): void }
  }
}

const PAGE_BYTES = 64 * 1024
const MEMORY_PAGES = 32
const SALT = "variant"
/** Where the identifier begins, without salt and with it, between as many zeros on both sides as two blocks have bytes. */
const PLAIN_AT = 2 * BLOCK_BYTES
const SALTED_AT = 6 * BLOCK_BYTES
const GROUPS_AT = 8 * BLOCK_BYTES
const END_OF_MESSAGE = 0x80
const MAX_IDENTIFIER_BYTES = MAX_MESSAGE_BYTES - SALT.length
/** 14,000; a project with more flags has the others hashed one by one. */
const MAX_INPUTS = Math.floor((MEMORY_PAGES * PAGE_BYTES - GROUPS_AT) / GROUP.bytes) * LANES

/**
 * Makes batches that hash four inputs at a time, with SIMD instructions of WebAssembly: a fifth of the time of one after the
 * other (decision 0042). Null where the process cannot run WebAssembly.
 */
export function createSimdHashing(): CreateHashBatch | null {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly
  if (api === undefined) return null
  try {
    const { exports } = new api.Instance(new api.Module(simdSha1Module(MEMORY_PAGES)))
    const memory = new SimdMemory(exports.memory.buffer, exports.run)
    return (inputs) => new SimdHashBatch(memory, inputs)
  } catch {
    // Too little address space, or a Node started without WebAssembly: decisions only take longer without it.
    return null
  }
}

/** Memory of the WebAssembly instance. All batches share it: it holds the last one that was used, and its identifier. */
class SimdMemory {
  readonly run: (group: number, bits: number) => void
  readonly fractions: Float64Array
  identifier: string | null = null
  /** Length of the identifier; negative when it is too long for two blocks. */
  identifierBits = 0
  batch: SimdHashBatch | null = null
  readonly #bytes: Uint8Array

  constructor(buffer: ArrayBuffer, run: (group: number, bits: number) => void) {
    this.run = run
    this.fractions = new Float64Array(buffer)
    this.#bytes = new Uint8Array(buffer)
  }

  load(batch: SimdHashBatch, identifier: string): void {
    if (this.batch !== batch) this.#bytes.set(batch.groups, GROUPS_AT)
    this.batch = batch
    if (this.identifier === identifier) return
    this.identifier = identifier
    this.identifierBits = this.#write(identifier) * 8
  }

  /** Puts an identifier between the zeros, without salt and with it. Returns how many bytes it has, or -1. */
  #write(identifier: string): number {
    if (identifier.length > MAX_IDENTIFIER_BYTES) return -1
    const bytes = this.#bytes
    let length = identifier.length
    for (let index = 0; index < identifier.length; index++) {
      const code = identifier.charCodeAt(index)
      if (code > 127) {
        const encoded = Buffer.from(identifier)
        if (encoded.length > MAX_IDENTIFIER_BYTES) return -1
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

/** Hashes inputs in groups of four; a group is hashed when one of it is asked for. */
class SimdHashBatch implements HashBatch {
  /** What the instance reads of all groups (`simd-sha1.ts`). */
  readonly groups: Buffer
  readonly #memory: SimdMemory
  readonly #inputs: readonly HashInput[]
  /** By input: its place in the groups, four to a group; none for what they cannot hold. */
  readonly #positions: Int32Array
  /** By position: how many bits an identifier may have. */
  readonly #maxIdentifierBits: Int32Array
  /** By group: 1 once it was hashed with the present identifier. */
  readonly #isHashed: Uint8Array

  constructor(memory: SimdMemory, inputs: readonly HashInput[]) {
    const order = [...inputs.keys()]
      .filter((index) => fits(inputs[index]))
      .sort(byLength(inputs))
      .slice(0, MAX_INPUTS)
    const groupCount = Math.ceil(order.length / LANES)
    this.#memory = memory
    this.#inputs = inputs
    this.#positions = new Int32Array(inputs.length).fill(-1)
    this.#maxIdentifierBits = new Int32Array(order.length)
    this.#isHashed = new Uint8Array(groupCount)
    this.groups = Buffer.alloc(groupCount * GROUP.bytes)
    for (let position = 0; position < groupCount * LANES; position++) {
      const index = order[position]
      const input = index === undefined ? undefined : inputs[index]
      this.#maxIdentifierBits[position] = writeInput(this.groups, position, input ?? { prefix: "", salt: "" })
      if (index !== undefined) this.#positions[index] = position
    }
  }

  hash(index: number, identifier: string): number {
    const position = this.#positions[index] ?? -1
    const memory = this.#memory
    if (memory.batch !== this || memory.identifier !== identifier) {
      memory.load(this, identifier)
      this.#isHashed.fill(0)
    }
    const { identifierBits } = memory
    if (position < 0 || identifierBits < 0 || identifierBits > (this.#maxIdentifierBits[position] ?? 0))
      return hashIdentifier(this.#inputs[index], identifier)
    const group = position >> 2
    const at = GROUPS_AT + group * GROUP.bytes
    if (this.#isHashed[group] === 0) {
      memory.run(at, identifierBits)
      this.#isHashed[group] = 1
    }
    return memory.fractions[(at + GROUP.fractions) / 8 + (position & 3)] ?? 0
  }
}

const fits = (input: HashInput | undefined): boolean =>
  input !== undefined && Buffer.byteLength(input.prefix) + input.salt.length < MAX_MESSAGE_BYTES

/** Inputs of about the same length side by side: a group takes as many blocks as its longest message. */
const byLength = (inputs: readonly HashInput[]) => {
  const lengths = inputs.map(({ prefix, salt }) => prefix.length + salt.length)
  return (left: number, right: number): number => (lengths[left] ?? 0) - (lengths[right] ?? 0)
}

/** Writes one input as `simd-sha1.ts` reads it; returns how many bits an identifier behind it may have. */
function writeInput(groups: Buffer, position: number, { prefix, salt }: HashInput): number {
  const group = Math.floor(position / LANES) * GROUP.bytes
  const lane = position % LANES
  const length = groups.write(prefix, group + GROUP.prefixes + lane * 2 * BLOCK_BYTES)
  groups.writeInt32LE((salt === "" ? PLAIN_AT : SALTED_AT) - length, group + GROUP.identifierAddresses + lane * 4)
  groups.writeInt32LE((length + salt.length) * 8, group + GROUP.fixedBits + lane * 4)
  return (MAX_MESSAGE_BYTES - length - salt.length) * 8
}
