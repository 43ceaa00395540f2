import { Field, Float, InputType, Int } from "type-graphql"
import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"
import { ComparisonInput } from "./filters.graphql.js"
import { ConversionGoalInput, InsightInput, TrendsInput } from "./insights.graphql.js"

export const WebBreakdownEnum = registerEnum("WebBreakdown", "What visits of a site are told apart by.", {
  PAGE: ["Page", "Path of the page."],
  INITIAL_PAGE: ["InitialPage", "First page of the session."],
  EXIT_PAGE: ["ExitPage", "Last page of the session."],
  EXIT_CLICK: ["ExitClick", "Last click on a link to another site."],
  PREVIOUS_PAGE: ["PreviousPage", "Page before."],
  SCREEN_NAME: ["ScreenName", "Screen of an app."],
  INITIAL_CHANNEL_TYPE: ["InitialChannelType", "Channel that the session came by."],
  INITIAL_REFERRING_DOMAIN: ["InitialReferringDomain", "Site that the session came from."],
  INITIAL_UTM_SOURCE: ["InitialUTMSource", "`utm_source` of the session."],
  INITIAL_UTM_CAMPAIGN: ["InitialUTMCampaign", "`utm_campaign` of the session."],
  INITIAL_UTM_MEDIUM: ["InitialUTMMedium", "`utm_medium` of the session."],
  INITIAL_UTM_TERM: ["InitialUTMTerm", "`utm_term` of the session."],
  INITIAL_UTM_CONTENT: ["InitialUTMContent", "`utm_content` of the session."],
  INITIAL_UTM_SOURCE_MEDIUM_CAMPAIGN: ["InitialUTMSourceMediumCampaign", "Three of them together."],
  BROWSER: ["Browser", "Browser."],
  OS: ["OS", "Operating system."],
  VIEWPORT: ["Viewport", "Size of the window."],
  DEVICE_TYPE: ["DeviceType", "Kind of device."],
  COUNTRY: ["Country", "Country, as two letters."],
  REGION: ["Region", "Part of a country."],
  CITY: ["City", "City."],
  TIMEZONE: ["Timezone", "Time zone of the device."],
  LANGUAGE: ["Language", "Language of the browser."],
})
export type WebBreakdownEnum = EnumValue<typeof WebBreakdownEnum>

/** What queries about a site can be asked with. */
@InputType("WebInput", { description: "What queries about a site can be asked with." })
export abstract class WebInput extends InsightInput {
  @Field(() => ComparisonInput, { nullable: true, description: "Beside those of the time before." })
  compare?: ComparisonInput | null
}

@InputType("WebOverviewInput", { description: "A site's visitors, views and sessions." })
export class WebOverviewInput extends WebInput {
  @Field(() => ConversionGoalInput, { nullable: true, description: "Shows conversions instead." })
  conversionGoal?: ConversionGoalInput | null
}

/** Which rows of a table about a site are given. */
@InputType("WebPageInput", { description: "Which rows of a table about a site are given." })
abstract class WebPageInput extends WebInput {
  @Field(() => Int, { nullable: true, description: "Rows, 1 to 1,000, of goals to 100; 100 when absent, of goals 5." })
  limit?: number | null
  @Field(() => Int, { nullable: true, description: "Rows to skip." })
  offset?: number | null
  @Field(() => Boolean, { nullable: true, description: "True when absent; counts with `orderBy`." })
  descending?: boolean | null
}

export const WebStatsOrderEnum = registerEnum("WebStatsOrder", "What visits of a site are ordered by.", {
  VISITORS: ["Visitors", "Visitors."],
  VIEWS: ["Views", "Views; not with `conversionGoal`."],
  BOUNCE_RATE: ["BounceRate", "The bounce rate; only with `includeBounceRate`."],
  TOTAL_CONVERSIONS: ["TotalConversions", "How often the goal was reached; only with `conversionGoal`."],
  UNIQUE_CONVERSIONS: ["UniqueConversions", "Who reached the goal; only with `conversionGoal`."],
  CONVERSION_RATE: ["ConversionRate", "The share of visitors who did; only with `conversionGoal`."],
})
export type WebStatsOrderEnum = EnumValue<typeof WebStatsOrderEnum>

@InputType("WebStatsInput", { description: "A site's visitors and views by a property of events or sessions." })
export class WebStatsInput extends WebPageInput {
  @Field(() => WebBreakdownEnum, { description: "What they are told apart by." })
  breakdownBy!: WebBreakdownEnum
  @Field(() => Boolean, { nullable: true, description: "Gives the bounce rate as well." })
  includeBounceRate?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Applies the project's rules for paths to pages." })
  cleansPaths?: boolean | null
  @Field(() => ConversionGoalInput, { nullable: true, description: "Shows conversions instead of views." })
  conversionGoal?: ConversionGoalInput | null
  @Field(() => WebStatsOrderEnum, {
    nullable: true,
    description: "What the rows are ordered by; VISITORS when absent.",
  })
  orderBy?: WebStatsOrderEnum | null
}

export const WebGoalsOrderEnum = registerEnum("WebGoalsOrder", "What goals are ordered by.", {
  CONVERTING_USERS: ["ConvertingUsers", "Persons who came to it."],
  TOTAL_CONVERSIONS: ["TotalConversions", "How often anybody did."],
  CONVERSION_RATE: ["ConversionRate", "The share of visitors who did."],
})
export type WebGoalsOrderEnum = EnumValue<typeof WebGoalsOrderEnum>

@InputType("WebGoalsInput", { description: "Who did the project's actions, the newest first." })
export class WebGoalsInput extends WebPageInput {
  @Field(() => WebGoalsOrderEnum, { nullable: true, description: "What the rows of a page are ordered by." })
  orderBy?: WebGoalsOrderEnum | null
}

export const WebClicksOrderEnum = registerEnum("WebClicksOrder", "What links that were clicked are ordered by.", {
  VISITORS: ["Visitors", "Who clicked them."],
  CLICKS: ["Clicks", "How often they were clicked."],
})
export type WebClicksOrderEnum = EnumValue<typeof WebClicksOrderEnum>

@InputType("WebExternalClicksInput", { description: "Links to other sites that were clicked." })
export class WebExternalClicksInput extends WebPageInput {
  @Field(() => Boolean, { nullable: true, description: "Shows addresses without parameters and fragment." })
  withoutParameters?: boolean | null
  @Field(() => WebClicksOrderEnum, { nullable: true, description: "What the rows are ordered by; CLICKS when absent." })
  orderBy?: WebClicksOrderEnum | null
}

@InputType("WebPageUrlSearchInput", { description: "Addresses of pages that contain a text." })
export class WebPageUrlSearchInput extends InsightInput {
  @Field(() => String, { nullable: true, description: "The text, in any case; all when absent." })
  search?: string | null
  @Field(() => Boolean, { nullable: true, description: "Shows addresses without parameters and fragment." })
  withoutParameters?: boolean | null
  @Field(() => Int, { nullable: true, description: "Rows, 1 to 1,000; 100 when absent." })
  limit?: number | null
  @Field(() => Int, { nullable: true, description: "Rows to skip." })
  offset?: number | null
}

@InputType("WebVitalsInput", { description: "A trend of a site, such as of what `$web_vitals` events measured." })
export class WebVitalsInput extends WebInput {
  @Field(() => TrendsInput, { description: "The trend; the dates are the site's where it has none." })
  of!: TrendsInput
}

export const WebVitalsMetricEnum = registerEnum("WebVitalsMetric", "What is measured of a page.", {
  INP: ["INP", "Interaction to next paint, milliseconds."],
  LCP: ["LCP", "Largest contentful paint, milliseconds."],
  CLS: ["CLS", "Cumulative layout shift, without unit."],
  FCP: ["FCP", "First contentful paint, milliseconds."],
})
export type WebVitalsMetricEnum = EnumValue<typeof WebVitalsMetricEnum>

export const WebVitalsPercentileEnum = registerEnum("WebVitalsPercentile", "Which percentile of visits counts.", {
  P75: ["p75", "The 75th."],
  P90: ["p90", "The 90th."],
  P99: ["p99", "The 99th."],
})
export type WebVitalsPercentileEnum = EnumValue<typeof WebVitalsPercentileEnum>

@InputType("WebVitalsPathsInput", { description: "How fast the pages of a site are, by path and in three bands." })
export class WebVitalsPathsInput extends InsightInput {
  @Field(() => WebVitalsMetricEnum, { nullable: true, description: "INP when absent." })
  metric?: WebVitalsMetricEnum | null
  @Field(() => WebVitalsPercentileEnum, { nullable: true, description: "P75 when absent." })
  percentile?: WebVitalsPercentileEnum | null
  @Field(() => Float, { description: "Up to where a value is good." })
  goodUpTo!: number
  @Field(() => Boolean, { nullable: true, description: "Applies the project's rules for paths." })
  cleansPaths?: boolean | null
  @Field(() => Float, { description: "Up to where a value only needs improvements; beyond it is poor." })
  fairUpTo!: number
}
