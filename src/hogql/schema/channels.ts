/** Makes SQL of one form: text of the schema, or a tree of the compiler. */
export interface SqlBuilder<Sql> {
  readonly call: (name: string, ...args: readonly Sql[]) => Sql
  readonly raw: (sql: string) => Sql
}

const words = (text: string): readonly string[] => text.split(" ")

/** Names of sites and sources by what they are: the first significant part of a domain, or what `utm_source` says. */
const SITES: Readonly<Record<string, readonly string[]>> = {
  Search: words(
    "google bing duckduckgo yahoo baidu yandex ecosia brave startpage qwant naver seznam ask aol sogou dogpile daum kagi adwords googleads",
  ),
  Social: words(
    "facebook fb instagram ig twitter x t linkedin lnkd reddit pinterest tiktok snapchat threads bsky bluesky mastodon tumblr quora vk weibo wechat discord whatsapp telegram ycombinator hackernews stackoverflow xing meta",
  ),
  Video: words("youtube youtu vimeo twitch dailymotion netflix hulu disneyplus bilibili rumble"),
  Shopping: words("amazon ebay etsy walmart shopify alibaba aliexpress shopping mercadolibre rakuten temu zalando"),
}
/** Sources that are no site. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  Email: words("email e-mail e_mail mail newsletter gmail outlook mailchimp mail.google.com mail.yahoo.com"),
  SMS: words("sms mobile_sms text_message"),
  Push: words("push onesignal firebase web_push"),
}
const PAID_MEDIUMS: Readonly<Record<string, readonly string[]>> = {
  "Paid Search": words("cpc ppc sem paidsearch paid_search paid-search search"),
  "Paid Social": words("paidsocial paid_social paid-social social"),
  "Paid Video": words("cpv paidvideo paid_video video"),
  "Paid Shopping": words("paidshopping paid_shopping shopping"),
  Display: words("cpm display banner interstitial"),
}
const MEDIUMS: Readonly<Record<string, readonly string[]>> = {
  "Organic Search": words("organic seo search"),
  "Organic Social": words("social social-network social_network social-media social_media sm"),
  "Organic Video": words("video"),
  "Organic Shopping": words("shopping"),
  Email: words("email e-mail e_mail mail newsletter"),
  SMS: words("sms"),
  Push: words("push mobile notification"),
  Display: words("display banner expandable interstitial cpm"),
  Audio: words("audio podcast"),
  Affiliate: words("affiliate affiliates"),
  Referral: words("referral app link"),
}

const prefixed = (prefix: string) =>
  Object.fromEntries(Object.entries(SITES).map(([type, names]) => [`${prefix} ${type}`, names]))

/** What each lookup function says of a name. */
const TABLES = {
  lookupDomainType: { ...SITES, ...SOURCES },
  lookupPaidSourceType: prefixed("Paid"),
  lookupPaidMediumType: PAID_MEDIUMS,
  lookupOrganicSourceType: { ...prefixed("Organic"), ...SOURCES },
  lookupOrganicMediumType: MEDIUMS,
} satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export type ChannelLookup = keyof typeof TABLES
export const CHANNEL_LOOKUPS = Object.keys(TABLES) as ChannelLookup[]

const listed = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(", ")}]`

/** What a lookup says of a name or a domain, null for one that it does not know. `www.google.co.uk` is `google`. */
export function channelLookup<Sql>(lookup: ChannelLookup, value: Sql, { call, raw }: SqlBuilder<Sql>): Sql {
  const entries = Object.entries(TABLES[lookup]).flatMap(([type, names]) => names.map((name) => [name, type] as const))
  const names = raw(listed(entries.map(([name]) => name)))
  const types = raw(listed(entries.map(([, type]) => type)))
  const nothing = raw("''")
  const name = call("lower", call("ifNull", value, nothing))
  const find = (searched: Sql) => call("nullIf", call("transform", searched, names, types, nothing), nothing)
  const site = call("firstSignificantSubdomain", call("concat", raw("'https://'"), name))
  return call("coalesce", find(name), find(site))
}

const TEXT: SqlBuilder<string> = { call: (name, ...args) => `${name}(${args.join(", ")})`, raw: (sql) => sql }
const find = (lookup: ChannelLookup, value: string) => channelLookup(lookup, value, TEXT)

export interface ChannelFacts {
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly referringDomain: string
  /** Conditions. */
  readonly hasGoogleClick: string
  readonly hasFacebookClick: string
}

/** SQL of the channel that a visit came through, from SQL of the page it began with; "" where it is unknown. */
export function channelType(visit: ChannelFacts): string {
  const { source, medium, campaign, referringDomain, hasGoogleClick, hasFacebookClick } = visit
  const isShop = `match(${campaign}, '(^|[^a-df-z])shop|shopping')`
  const isPaid = `match(${medium}, '^(cpc|cpm|cpv|cpa|ppc|retargeting|paid.*)$') OR ${hasGoogleClick}`
  const isDirect = `${referringDomain} IN ('', '$direct') AND ${medium} = '' AND ${source} IN ('', 'direct', '(direct)')`
  const paid = `coalesce(${find("lookupPaidSourceType", source)}, if(${isShop}, 'Paid Shopping', NULL),
    ${find("lookupPaidMediumType", medium)}, ${find("lookupPaidSourceType", referringDomain)},
    multiIf(${hasGoogleClick}, 'Paid Search', match(${campaign}, 'video'), 'Paid Video', ${hasFacebookClick}, 'Paid Social', 'Paid Unknown'))`
  const organic = `coalesce(${find("lookupOrganicSourceType", source)}, if(${isShop}, 'Organic Shopping', NULL),
    ${find("lookupOrganicMediumType", medium)}, ${find("lookupOrganicSourceType", referringDomain)},
    multiIf(match(${campaign}, 'video'), 'Organic Video', match(${medium}, 'push$'), 'Push', ${hasFacebookClick}, 'Organic Social',
      ${referringDomain} NOT IN ('', '$direct'), 'Referral', 'Unknown'))`
  return `multiIf(match(${campaign}, 'cross-network'), 'Cross Network', ${isPaid}, ${paid}, ${isDirect}, 'Direct', ${organic})`
}
