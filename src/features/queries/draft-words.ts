/** What words may name in a project. */
export interface DraftVocabulary {
  /** The most frequent first. */
  readonly events: readonly string[]
  readonly eventProperties: Iterable<string>
  readonly personProperties: Iterable<string>
}

const BUCKETS: Readonly<Record<string, string>> = {
  hour: "toStartOfHour(timestamp)",
  day: "toStartOfDay(timestamp)",
  week: "toStartOfWeek(timestamp)",
  month: "toStartOfMonth(timestamp)",
}
const UNITS: Readonly<Record<string, string>> = { hourly: "hour", daily: "day", weekly: "week", monthly: "month" }
const RANKING = /\b(?:top|most|popular|frequent|which events|what events)\b/
/** Names that HogQL takes in backticks as they are. */
const PLAIN_NAME = /^[\w$ .:/-]+$/

/**
 * A SELECT for a question in words, by rules: events and properties that are named in it, persons or events, by hour, day,
 * week or month. Words that name nothing give the count of all events by day, so there is always something to start from.
 */
export function draftFromWords(words: string, { events, eventProperties, personProperties }: DraftVocabulary): string {
  const text = ` ${plain(words)} `
  const isNamed = (name: string): boolean => plain(name) !== "" && new RegExp(`\\b${plain(name)}s?\\b`).test(text)
  const named = events.filter(isNamed)
  const breakdown =
    find(eventProperties, (name) => `properties.\`${name}\``, isNamed) ??
    find(personProperties, (name) => `person.properties.\`${name}\``, isNamed)
  const unit =
    /\b(hour|day|week|month)s?\b/.exec(text)?.[1] ?? UNITS[/\b(hourly|daily|weekly|monthly)\b/.exec(text)?.[1] ?? ""]
  const isRanking = unit === undefined && named.length === 0 && (RANKING.test(text) || breakdown !== undefined)
  const keys = isRanking
    ? [breakdown ?? "event"]
    : [`${BUCKETS[unit ?? "day"]} AS ${unit ?? "day"}`, ...(breakdown === undefined ? [] : [breakdown])]
  const places = keys.map((_, index) => index + 1).join(", ")
  return [
    `SELECT ${keys.join(", ")}, count() AS events, count(DISTINCT person_id) AS persons`,
    "FROM events",
    `WHERE ${named.length === 0 ? "" : `event IN (${named.map(toHogqlText).join(", ")}) AND `}timestamp > now() - INTERVAL 30 DAY`,
    `GROUP BY ${places}`,
    isRanking ? "ORDER BY events DESC LIMIT 20" : `ORDER BY ${places}`,
  ].join("\n")
}

/** A text as HogQL writes it. */
export const toHogqlText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

/** Lower case with single spaces between words, so that `$pageview` and `Sign_Up` are found in a sentence. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const find = (names: Iterable<string>, write: (name: string) => string, isNamed: (name: string) => boolean) => {
  const found = [...names]
    .filter((name) => PLAIN_NAME.test(name) && isNamed(name))
    .sort((a, b) => b.length - a.length)[0]
  return found === undefined ? undefined : write(found)
}
