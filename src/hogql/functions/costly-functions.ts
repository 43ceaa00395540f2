/**
 * Functions that work so long on one block of rows that a query which calls them cannot be stopped in time: the engine looks at
 * limits and cancellation between blocks (`docs/contract/queries.md#costly-functions`).
 */

/** `max_block_size` of a query that calls one of them. */
const COSTLY_BLOCK_ROWS = 512
/** The same where each row becomes an array of up to millions. */
const LARGE_ARRAYS_BLOCK_ROWS = 16

/**
 * Longest text in bytes of each function whose work grows with the square of it: half a second a block at most, outside of
 * lambdas. In one they are refused, because a row may be an array of millions.
 */
const LONGEST_TEXT: ReadonlyMap<string, number> = new Map([
  ["levenshteinDistance", 1_000],
  ["levenshteinDistanceUTF8", 1_000],
  ["editDistance", 1_000],
  ["damerauLevenshteinDistance", 1_000],
  ["jaroSimilarity", 1_000],
  ["jaroWinklerSimilarity", 1_000],
  ["base58Encode", 1_000],
  ["base58Decode", 1_000],
  ["tryBase58Decode", 1_000],
])

/** Those that take thousands of steps a row for ordinary arguments. */
const SLOW =
  /^(?:arrayFold|ngram\w*|sparseGrams|wordShingleSimHash|stringJaccardIndex\w*|extractAllGroups\w*|extractGroups|splitByRegexp|replaceRegexpAll|multiFuzzyMatch\w*)$/
/** Those that make an array whose size an argument says. */
const MAKES_LARGE_ARRAYS = /^(?:h3kRing|h3ToChildren|h3HexRing|h3Line|geohashesInBox)$/

/** `max_block_size` of a query with lambdas so deep in each other; null where the engine's own does. */
export const findBlockRowsOfLambdas = (depth: number): number | null => (depth > 1 ? LARGE_ARRAYS_BLOCK_ROWS : null)

/** The longest text that arguments of a function may be; null where the engine copes with any. */
export const findLongestText = (engineName: string): number | null => LONGEST_TEXT.get(engineName) ?? null

/** `max_block_size` that a query needs because it calls the function; null where the engine's own does. */
export function findBlockRows(engineName: string): number | null {
  if (MAKES_LARGE_ARRAYS.test(engineName)) return LARGE_ARRAYS_BLOCK_ROWS
  return LONGEST_TEXT.has(engineName) || SLOW.test(engineName) ? COSTLY_BLOCK_ROWS : null
}
