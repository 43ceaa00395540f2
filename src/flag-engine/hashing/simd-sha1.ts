import {
  add,
  addF64,
  and,
  type Code,
  choose,
  get,
  i32,
  inOrder,
  isAtMost,
  isTrueInAll,
  isZero,
  load,
  loadI32,
  lowToF64,
  moduleOf,
  multiplyF64,
  or,
  set,
  shiftLeft,
  shiftRight,
  shuffle,
  splat,
  splatF64,
  store,
  whenTrue,
  xor,
} from "./wasm-instructions.js"

/**
 * Four SHA-1 side by side (FIPS 180-4, section 6.1), one in each lane of a 128-bit value: no message needs another one's
 * result, so that one instruction takes a step of four. A message is what a flag puts in front of an identifier, its
 * prefix, and the text behind it, up to 119 bytes in one or two blocks of 64.
 *
 * Prefixes lie in memory as blocks filled up with zeros, and the text lies between zeros: loaded from as many bytes
 * before its start as the prefix is long, it fits exactly behind the prefix, and a message is the one or the other.
 */
export const LANES = 4
export const BLOCK_BYTES = 64
/** Two blocks less the byte that ends a message and the eight that tell its length. */
export const MAX_MESSAGE_BYTES = 2 * BLOCK_BYTES - 9

/** Where things lie in a group of four; all offsets in bytes. */
export const GROUP = {
  /** Two blocks a lane. */
  prefixes: 0,
  /** 32 bits a lane: where the text is to be loaded from. */
  identifierAddresses: LANES * 2 * BLOCK_BYTES,
  /** 32 bits a lane: length of prefix and salt in bits. */
  fixedBits: LANES * 2 * BLOCK_BYTES + 16,
  /** Binary64 a lane: the result, from 0 to 1 (`docs/contract/flags.md#hashing`). */
  fractions: LANES * 2 * BLOCK_BYTES + 32,
  bytes: LANES * 2 * BLOCK_BYTES + 64,
} as const

/** Messages up to so many bits have their length in the first block. */
const MAX_FIRST_BLOCK_BITS = (BLOCK_BYTES - 9) * 8
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
const ROUND_CONSTANTS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6]

// Locals: the arguments, four addresses, then what is four lanes wide.
const GROUP_AT = 0
const TEXT_BITS = 1
const TEXT_AT = 2
const WORD = 6
const HASH = 22
const [A, B, C, D, E] = [27, 28, 29, 30, 31]
const CONSTANT = 32
const MESSAGE_BITS = 33
const IS_SHORT = 34
const FIRST = 35
const LAST_LOCAL = 39

const rotated = (local: number, bits: number): Code =>
  or(shiftLeft(get(local), bits), shiftRight(get(local), 32 - bits))

/** Bytes of 32-bit words of two values, words 4 to 7 being those of the second. */
const words = (...places: number[]): number[] => places.flatMap((place) => [0, 1, 2, 3].map((byte) => place * 4 + byte))
/** SHA-1 reads the first byte of a word as its highest. */
const REVERSED = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]

/** Puts a block's sixteen words of four messages into the locals: word by word, and in each the lanes of the four. */
function loadBlock(block: number): Code {
  const quarter = (offset: number, into: number): Code => {
    const lanes = [0, 1, 2, 3].map((lane) => {
      const prefix = load(get(GROUP_AT), GROUP.prefixes + (2 * lane + block) * BLOCK_BYTES + offset)
      const message = or(prefix, load(get(TEXT_AT + lane), block * BLOCK_BYTES + offset))
      return set(A + lane, message)
    })
    const reversed = [A, B, C, D].map((lane) => set(lane, shuffle(get(lane), get(lane), REVERSED)))
    const joined = [
      set(E, shuffle(get(A), get(B), words(0, 4, 1, 5))),
      set(CONSTANT, shuffle(get(C), get(D), words(0, 4, 1, 5))),
      set(into, shuffle(get(E), get(CONSTANT), words(0, 1, 4, 5))),
      set(into + 1, shuffle(get(E), get(CONSTANT), words(2, 3, 6, 7))),
      set(E, shuffle(get(A), get(B), words(2, 6, 3, 7))),
      set(CONSTANT, shuffle(get(C), get(D), words(2, 6, 3, 7))),
      set(into + 2, shuffle(get(E), get(CONSTANT), words(0, 1, 4, 5))),
      set(into + 3, shuffle(get(E), get(CONSTANT), words(2, 3, 6, 7))),
    ]
    return inOrder([...lanes, ...reversed, ...joined])
  }
  return inOrder([0, 1, 2, 3].map((place) => quarter(place * 16, WORD + place * 4)))
}

/** Takes the block in the locals into the hash. The names of the five working values turn instead of their contents. */
function compress(): Code {
  const code: Code[] = [A, B, C, D, E].map((local, index) => set(local, get(HASH + index)))
  let [a, b, c, d, e] = [A, B, C, D, E] as [number, number, number, number, number]
  for (let round = 0; round < 80; round++) {
    const word = WORD + (round % 16)
    if (round % 20 === 0) code.push(set(CONSTANT, splat(i32(ROUND_CONSTANTS[round / 20] as number | 0))))
    if (round >= 16) {
      const [third, eighth, fourteenth] = [3, 8, 14].map((back) => get(WORD + ((round - back) % 16))) as [
        Code,
        Code,
        Code,
      ]
      code.push(set(word, xor(xor(third, eighth), xor(fourteenth, get(word)))), set(word, rotated(word, 1)))
    }
    const sum = add(add(get(e), get(CONSTANT)), add(get(word), mixed(round, b, c, d)))
    code.push(set(e, add(sum, rotated(a, 5))), set(b, rotated(b, 30)))
    ;[a, b, c, d, e] = [e, a, b, c, d]
  }
  // After 80 rounds, a multiple of five, each name is back at its place.
  code.push(...[A, B, C, D, E].map((local, index) => set(HASH + index, add(get(HASH + index), get(local)))))
  return inOrder(code)
}

function mixed(round: number, b: number, c: number, d: number): Code {
  if (round < 20) return choose(get(c), get(d), get(b))
  if (round >= 40 && round < 60) return choose(get(d), get(b), xor(get(b), get(c)))
  return xor(xor(get(b), get(c)), get(d))
}

/** The first 60 bits of the hash as a fraction; exact until the one rounding of the sum, as in `hash-identifier.ts`. */
const storeFractions = (lanes: readonly number[], offset: number): Code => {
  const high = lowToF64(shuffle(get(HASH), get(HASH), words(...lanes, ...lanes)))
  const low = lowToF64(shuffle(shiftRight(get(HASH + 1), 4), shiftRight(get(HASH + 1), 4), words(...lanes, ...lanes)))
  const sum = addF64(multiplyF64(high, splatF64(2 ** 28)), low)
  return store(get(GROUP_AT), GROUP.fractions + offset, multiplyF64(sum, splatF64(2 ** -60)))
}

/** Module whose `run(group, textBits)` hashes the text with the four prefixes of the group at that address. */
export function simdSha1Module(memoryPages: number): Uint8Array<ArrayBuffer> {
  const hashLocals = START.map((_, index) => index)
  const rounds = compress()
  const body = inOrder([
    ...[0, 1, 2, 3].map((lane) => set(TEXT_AT + lane, loadI32(get(GROUP_AT), GROUP.identifierAddresses + 4 * lane))),
    set(MESSAGE_BITS, add(load(get(GROUP_AT), GROUP.fixedBits), splat(get(TEXT_BITS)))),
    set(IS_SHORT, isAtMost(get(MESSAGE_BITS), splat(i32(MAX_FIRST_BLOCK_BITS)))),
    ...START.map((word, index) => set(HASH + index, splat(i32(word | 0)))),
    loadBlock(0),
    set(WORD + 15, or(get(WORD + 15), and(get(MESSAGE_BITS), get(IS_SHORT)))),
    rounds,
    whenTrue(
      isZero(isTrueInAll(get(IS_SHORT))),
      inOrder([
        ...hashLocals.map((index) => set(FIRST + index, get(HASH + index))),
        loadBlock(1),
        set(WORD + 15, get(MESSAGE_BITS)),
        rounds,
        ...hashLocals.map((index) => set(HASH + index, choose(get(FIRST + index), get(HASH + index), get(IS_SHORT)))),
      ]),
    ),
    storeFractions([0, 1], 0),
    storeFractions([2, 3], 16),
  ])
  return moduleOf({ memoryPages, parameters: 2, i32Locals: LANES, v128Locals: LAST_LOCAL - WORD + 1, body })
}
