import { Field, InputType } from "type-graphql"
import type { Json } from "../../../../kernel/json.js"
import { OneOfInput } from "../../../../platform/graphql/one-of.js"
import { JsonScalar } from "../../../../platform/graphql/scalars.js"
import { FunnelInput, PathsInput, RetentionInput } from "./funnel-inputs.graphql.js"
import { CalendarHeatmapInput, LifecycleInput, StickinessInput, TrendsInput } from "./insights.graphql.js"
import {
  ActorsInput,
  EventsInput,
  GroupsInput,
  HogQLInput,
  PropertyValuesInput,
  SessionsInput,
} from "./tables.graphql.js"
import {
  WebExternalClicksInput,
  WebGoalsInput,
  WebOverviewInput,
  WebPageUrlSearchInput,
  WebStatsInput,
  WebVitalsInput,
  WebVitalsPathsInput,
} from "./web.graphql.js"

@OneOfInput()
@InputType("QueryInput", { description: "A query: exactly one of these." })
export class QueryInput {
  @Field(() => HogQLInput, { nullable: true, description: "A SELECT in HogQL; gives a HogQLResult." })
  hogql?: HogQLInput | null
  @Field(() => EventsInput, { nullable: true, description: "A table of events; gives an EventsResult." })
  events?: EventsInput | null
  @Field(() => ActorsInput, { nullable: true, description: "A table of persons; gives an ActorsResult." })
  actors?: ActorsInput | null
  @Field(() => GroupsInput, { nullable: true, description: "A table of groups; gives a GroupsResult." })
  groups?: GroupsInput | null
  @Field(() => TrendsInput, { nullable: true, description: "Numbers over time; gives a TrendsResult." })
  trends?: TrendsInput | null
  @Field(() => FunnelInput, { nullable: true, description: "Steps; gives a FunnelResult." })
  funnel?: FunnelInput | null
  @Field(() => RetentionInput, { nullable: true, description: "Who comes back; gives a RetentionResult." })
  retention?: RetentionInput | null
  @Field(() => PathsInput, { nullable: true, description: "Ways from step to step; gives a PathsResult." })
  paths?: PathsInput | null
  @Field(() => StickinessInput, {
    nullable: true,
    description: "How often actors were there; gives a StickinessResult.",
  })
  stickiness?: StickinessInput | null
  @Field(() => LifecycleInput, { nullable: true, description: "Who is new or gone; gives a LifecycleResult." })
  lifecycle?: LifecycleInput | null
  @Field(() => WebOverviewInput, { nullable: true, description: "Numbers of a site; gives a WebOverviewResult." })
  webOverview?: WebOverviewInput | null
  @Field(() => WebStatsInput, { nullable: true, description: "Visits of a site by property; gives a WebStatsResult." })
  webStats?: WebStatsInput | null
  @Field(() => SessionsInput, { nullable: true, description: "A table of sessions; gives a SessionsResult." })
  sessions?: SessionsInput | null
  @Field(() => PropertyValuesInput, {
    nullable: true,
    description: "Values of a property; gives a PropertyValuesResult.",
  })
  propertyValues?: PropertyValuesInput | null
  @Field(() => CalendarHeatmapInput, {
    nullable: true,
    description: "Numbers by day of the week and hour; gives a CalendarHeatmapResult.",
  })
  calendarHeatmap?: CalendarHeatmapInput | null
  @Field(() => WebGoalsInput, { nullable: true, description: "Goals of a site; gives a WebGoalsResult." })
  webGoals?: WebGoalsInput | null
  @Field(() => WebVitalsInput, { nullable: true, description: "A trend of a site; gives a TrendsResult." })
  webVitals?: WebVitalsInput | null
  @Field(() => WebVitalsPathsInput, {
    nullable: true,
    description: "How fast pages are; gives a WebVitalsPathsResult.",
  })
  webVitalsPaths?: WebVitalsPathsInput | null
  @Field(() => WebExternalClicksInput, {
    nullable: true,
    description: "Links that were clicked; gives a WebExternalClicksResult.",
  })
  webExternalClicks?: WebExternalClicksInput | null
  @Field(() => WebPageUrlSearchInput, {
    nullable: true,
    description: "Addresses of pages; gives a WebPageUrlSearchResult.",
  })
  webPageUrlSearch?: WebPageUrlSearchInput | null
  @Field(() => JsonScalar, {
    nullable: true,
    description:
      "A query object as REST takes it, for kinds without an input here; gives the type of its kind or a JsonResult.",
  })
  raw?: Json
}
