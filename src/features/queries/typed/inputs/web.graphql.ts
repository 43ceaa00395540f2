import { Field, InputType, Int } from "type-graphql"
import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"
import { ComparisonInput } from "./filters.graphql.js"
import { InsightInput } from "./insights.graphql.js"

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

@InputType("WebOverviewInput", { description: "A site's visitors, views and sessions." })
export class WebOverviewInput extends InsightInput {
  @Field(() => ComparisonInput, { nullable: true, description: "Beside those of the time before." })
  compare?: ComparisonInput | null
}

@InputType("WebStatsInput", { description: "A site's visitors and views by a property of events or sessions." })
export class WebStatsInput extends WebOverviewInput {
  @Field(() => WebBreakdownEnum, { description: "What they are told apart by." })
  breakdownBy!: WebBreakdownEnum
  @Field(() => Boolean, { nullable: true, description: "Gives the bounce rate as well." })
  includeBounceRate?: boolean | null
  @Field(() => Int, { nullable: true, description: "Rows, 1 to 1,000; 100 when absent." })
  limit?: number | null
  @Field(() => Int, { nullable: true, description: "Rows to skip." })
  offset?: number | null
}
