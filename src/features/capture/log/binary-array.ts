/**
 * Columns of rows as PostgreSQL's binary arrays: one parameter for each column whatever the number of rows, and nothing
 * is written as text and read again.
 */

const HEADER_BYTES = 20
const BYTEA_OID = 17
const BIGINT_BYTES = 8
const INTEGER_BYTES = 4
const INTEGER_OID = 23
const TIMESTAMPTZ_OID = 1184
const UINT32_VALUES = 2 ** 32
/** PostgreSQL counts microseconds from here. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)

function startArray(elementOid: number, count: number, elementBytes: number): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + count * 4 + elementBytes)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(0, 4)
  array.writeInt32BE(elementOid, 8)
  array.writeInt32BE(count, 12)
  array.writeInt32BE(1, 16)
  return array
}

/** `integer[]` in the binary form of the protocol. */
export function toIntegerArray(values: readonly number[]): Buffer {
  const array = startArray(INTEGER_OID, values.length, values.length * INTEGER_BYTES)
  let offset = HEADER_BYTES
  for (const value of values) {
    offset = array.writeInt32BE(INTEGER_BYTES, offset)
    offset = array.writeInt32BE(value, offset)
  }
  return array
}

/** `values` are milliseconds since the Unix epoch; their microseconds fit a double, and making bigints of them is dear. */
export function toTimestampArray(values: readonly number[]): Buffer {
  const array = startArray(TIMESTAMPTZ_OID, values.length, values.length * BIGINT_BYTES)
  let offset = HEADER_BYTES
  for (const value of values) {
    const microseconds = Math.trunc(value - POSTGRES_EPOCH_MS) * 1000
    offset = array.writeInt32BE(BIGINT_BYTES, offset)
    offset = array.writeInt32BE(Math.floor(microseconds / UINT32_VALUES), offset)
    offset = array.writeUInt32BE(microseconds - Math.floor(microseconds / UINT32_VALUES) * UINT32_VALUES, offset)
  }
  return array
}

/** `bytea[]` in the binary form of the protocol. */
export function toBytesArray(values: readonly Buffer[]): Buffer {
  const totalBytes = values.reduce((total, { length }) => total + length, 0)
  const array = startArray(BYTEA_OID, values.length, totalBytes)
  let offset = HEADER_BYTES
  for (const value of values) {
    offset = array.writeInt32BE(value.length, offset)
    offset += value.copy(array, offset)
  }
  return array
}
