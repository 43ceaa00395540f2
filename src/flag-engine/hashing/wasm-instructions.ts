/** WebAssembly instructions as bytes: just those that `simd-sha1.ts` is written in. */
export type Code = readonly number[]

/** An unsigned number as the format writes all of them: seven bits a byte, the lowest first (LEB128). */
function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return bytes
}

/** A signed number likewise; what is above the sign's bit says how it goes on. */
function signed(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    if ((rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

const NOTHING: number[] = []
/** Much quicker than flattening, and this module is put together at every start. */
export const inOrder = (parts: readonly Code[]): Code => NOTHING.concat(...parts)
const simd = (opcode: number, ...operands: Code[]): Code => NOTHING.concat(...operands, 0xfd, unsigned(opcode))
/** Bytes of a memory operand: aligned to nothing, at an offset. */
const at = (offset: number): Code => [0, ...unsigned(offset)]

/** The value of a local. */
export const get = (local: number): Code => [0x20, ...unsigned(local)]
/** Gives a local a value. */
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)]
/** Does `then` where the condition, an i32, is not 0. */
export const whenTrue = (condition: Code, then: Code): Code => [...condition, 0x04, 0x40, ...then, 0x0b]

/** A constant of 32 bits. */
export const i32 = (value: number): Code => [0x41, ...signed(value)]
/** Four bytes of memory, the lowest first, at an address and a fixed offset in bytes. */
export const loadI32 = (address: Code, offset: number): Code => [...address, 0x28, ...at(offset)]
/** 1 when an i32 is 0, else 0. */
export const isZero = (value: Code): Code => [...value, 0x45]

/** Sixteen bytes of memory: four lanes of 32 bits. */
export const load = (address: Code, offset: number): Code => [...simd(0x00, address), ...at(offset)]
/** Writes sixteen bytes to memory. */
export const store = (address: Code, offset: number, value: Code): Code => [
  ...simd(0x0b, address, value),
  ...at(offset),
]
/** Four times the same 32 bits. */
export const splat = (value: Code): Code => simd(0x11, value)
/** Bits of both, over all 128. */
export const and = (left: Code, right: Code): Code => simd(0x4e, left, right)
/** Bits of either. */
export const or = (left: Code, right: Code): Code => simd(0x50, left, right)
/** Bits of one of them. */
export const xor = (left: Code, right: Code): Code => simd(0x51, left, right)
/** Bits of `yes` where the mask has ones, of `no` elsewhere. */
export const choose = (yes: Code, no: Code, mask: Code): Code => simd(0x52, yes, no, mask)
/** Sums of each lane of 32 bits, modulo 2^32. */
export const add = (left: Code, right: Code): Code => simd(0xae, left, right)
/** Each lane of 32 bits moved up. */
export const shiftLeft = (value: Code, bits: number): Code => simd(0xab, value, i32(bits))
/** Each lane of 32 bits moved down, zeros coming in from above. */
export const shiftRight = (value: Code, bits: number): Code => simd(0xad, value, i32(bits))
/** All ones in the lanes where `left` is less or equal, unsigned. */
export const isAtMost = (left: Code, right: Code): Code => simd(0x3e, left, right)
/** 1 when every lane has a one bit, else 0. */
export const isTrueInAll = (value: Code): Code => simd(0xa3, value)
/** Sixteen bytes picked from the thirty-two of two values. */
export const shuffle = (left: Code, right: Code, bytes: readonly number[]): Code => [
  ...simd(0x0d, left, right),
  ...bytes,
]
/** The two lower lanes, unsigned, as binary64. */
export const lowToF64 = (value: Code): Code => simd(0xff, value)
/** Twice the same binary64. */
export const splatF64 = (value: number): Code => {
  const bytes = new Uint8Array(new Float64Array([value]).buffer)
  return simd(0x14, [0x44, ...bytes])
}
/** Sums of both lanes of binary64. */
export const addF64 = (left: Code, right: Code): Code => simd(0xf0, left, right)
/** Products of both lanes of binary64. */
export const multiplyF64 = (left: Code, right: Code): Code => simd(0xf2, left, right)

const I32 = 0x7f
const V128 = 0x7b
const MEMORY = 2
const FUNCTION = 0

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content]
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...inOrder(items)]
const name = (text: string): Code => list([...text].map((character) => [character.charCodeAt(0)]))

export interface ModuleShape {
  readonly memoryPages: number
  /** Arguments of the one function, 32-bit numbers each; its locals follow them in the order of the two counts. */
  readonly parameters: number
  readonly i32Locals: number
  readonly v128Locals: number
  readonly body: Code
}

/** A module with one function without a result, exported as `run`, and its memory, exported as `memory`. */
export function moduleOf({
  memoryPages,
  parameters,
  i32Locals,
  v128Locals,
  body,
}: ModuleShape): Uint8Array<ArrayBuffer> {
  const locals = list([
    [...unsigned(i32Locals), I32],
    [...unsigned(v128Locals), V128],
  ])
  const code = [...locals, ...body, 0x0b]
  return new Uint8Array([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, list([[0x60, ...list(Array.from({ length: parameters }, () => [I32])), 0]])),
    ...section(3, list([[0]])),
    ...section(5, list([[0, ...unsigned(memoryPages)]])),
    ...section(
      7,
      list([
        [...name("memory"), MEMORY, 0],
        [...name("run"), FUNCTION, 0],
      ]),
    ),
    ...section(10, list([[...unsigned(code.length), ...code]])),
  ])
}
