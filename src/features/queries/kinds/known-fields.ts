/** Fields of an object: `true` where another place checks the value, else those of the object, or of each in a list. */
export interface Fields {
  readonly [name: string]: true | Fields
}

const named = (names: string): Fields => Object.fromEntries(names.split(" ").map((name) => [name, true]))

/** What every query may have without any effect on its answer. */
const NODE = named("kind response modifiers tags version")
const DATES = { dateRange: named("date_from date_to explicitDate") }
const FILTERS = named("properties fixedProperties filterTestAccounts")
const PAGE = named("limit offset")

const BREAKDOWN = {
  ...named("breakdown breakdown_type breakdown_limit breakdown_group_type_index breakdown_hide_other_aggregation"),
  ...named("breakdown_histogram_bin_count breakdown_normalize_url breakdown_path_cleaning"),
  breakdowns: named("type property group_type_index histogram_bin_count normalize_url"),
}
const SERIES = {
  ...named("kind response version event id name custom_name properties fixedProperties limit orderBy"),
  ...named("math math_property math_property_type math_hogql math_group_type_index math_multiplier optionalInFunnel"),
}
/** How a chart looks. */
const LOOKS = {
  ...named("showLegend showValuesOnSeries showLabelsOnSeries showPercentStackView showMultipleYAxes showTrendLines"),
  ...named("showAlertThresholdLines showConfidenceIntervals confidenceLevel showMovingAverage movingAverageIntervals"),
  ...named(
    "hiddenLegendIndexes hiddenLegendBreakdowns resultCustomizations resultCustomizationBy goalLines hideWeekends",
  ),
  ...named("yAxisScaleType detailedResultsAggregationType aggregationAxisFormat aggregationAxisPrefix"),
  ...named("aggregationAxisPostfix decimalPlaces minDecimalPlaces display"),
}
const INSIGHT = {
  ...NODE,
  ...DATES,
  ...FILTERS,
  ...named("samplingFactor dataColorTheme aggregation_group_type_index"),
  breakdownFilter: BREAKDOWN,
  compareFilter: named("compare compare_to"),
}
/** What a conversion is. */
const GOAL = named("actionId customEventName")
const ENTITY = named("id event name custom_name type kind order uuid properties")
const PERSONS = { ...NODE, source: true, includeRecordings: true } as const
const WEB = {
  ...NODE,
  ...DATES,
  properties: true,
  filterTestAccounts: true,
  samplingFactor: true,
  sampling: true,
  useSessionsTable: true,
  conversionGoal: GOAL,
  doPathCleaning: true,
  includeRevenue: true,
  compareFilter: named("compare compare_to"),
} as const

/**
 * The fields of each kind of query, with those that are refused by their own rules. What is not here is refused by its name
 * (`docs/contract/queries.md#exact-or-refused`).
 */
export const KNOWN_FIELDS: Readonly<Record<string, Fields>> = {
  HogQLQuery: {
    ...NODE,
    ...named("query variables values name explain"),
    filters: { ...named("properties filterTestAccounts"), ...DATES },
  },
  EventsQuery: {
    ...NODE,
    ...FILTERS,
    ...PAGE,
    ...named("select where event personId actionId before after orderBy"),
  },
  TrendsQuery: {
    ...INSIGHT,
    interval: true,
    series: SERIES,
    trendsFilter: {
      ...LOOKS,
      ...named("formula formulas smoothingIntervals compare"),
      formulaNodes: named("formula custom_name"),
    },
  },
  FunnelsQuery: {
    ...INSIGHT,
    interval: true,
    series: SERIES,
    funnelsFilter: {
      ...named(
        "funnelOrderType funnelVizType funnelWindowInterval funnelWindowIntervalUnit funnelFromStep funnelToStep",
      ),
      ...named(
        "funnelStepReference funnelAggregateByHogQL breakdownAttributionType breakdownAttributionValue binCount",
      ),
      ...named("layout hiddenLegendBreakdowns resultCustomizations goalLines showValuesOnSeries"),
      exclusions: { ...SERIES, ...named("funnelFromStep funnelToStep") },
    },
  },
  RetentionQuery: {
    ...INSIGHT,
    retentionFilter: {
      ...named("period totalIntervals retentionType retentionReference timeWindowMode cumulative minimumOccurrences"),
      ...named("retentionCustomBrackets aggregationType aggregationProperty aggregationPropertyType dashboardDisplay"),
      ...named("meanRetentionCalculation showTrendLines display selectedInterval goalLines"),
      targetEntity: ENTITY,
      returningEntity: ENTITY,
    },
  },
  LifecycleQuery: {
    ...INSIGHT,
    interval: true,
    series: SERIES,
    lifecycleFilter: named("showLegend showValuesOnSeries toggledLifecycles stacked"),
  },
  StickinessQuery: {
    ...INSIGHT,
    ...named("interval intervalCount"),
    series: SERIES,
    stickinessFilter: { ...LOOKS, computedAs: true, stickinessCriteria: named("operator value") },
  },
  CalendarHeatmapQuery: {
    ...INSIGHT,
    interval: true,
    series: SERIES,
    conversionGoal: GOAL,
    calendarHeatmapFilter: named("dummy"),
  },
  PathsQuery: {
    ...INSIGHT,
    funnelPathsFilter: { ...named("funnelPathType funnelStep"), funnelSource: true },
    pathsFilter: {
      ...named(
        "includeEventTypes excludeEvents pathsHogQLExpression pathGroupings pathReplacements stepLimit edgeLimit",
      ),
      ...named("startPoint endPoint minEdgeWeight maxEdgeWeight pathStartKey pathEndKey pathDropoffKey"),
      ...named("showFullUrls"),
      localPathCleaningFilters: named("regex alias order"),
    },
  },
  ActorsQuery: { ...NODE, ...PAGE, ...named("source select search properties fixedProperties orderBy") },
  PersonsQuery: { ...NODE, ...PAGE, ...named("source select search properties fixedProperties orderBy") },
  InsightActorsQuery: { ...PERSONS, ...named("day series breakdown compare status interval") },
  StickinessActorsQuery: { ...PERSONS, ...named("day series compare operator") },
  FunnelsActorsQuery: {
    ...PERSONS,
    ...named("funnelStep funnelCustomSteps funnelStepBreakdown funnelTrendsDropOff funnelTrendsEntrancePeriodStart"),
    compare: true,
  },
  FunnelCorrelationActorsQuery: {
    ...PERSONS,
    ...named("funnelCorrelationPersonConverted funnelCorrelationPersonEntity funnelCorrelationPropertyValues"),
  },
  FunnelCorrelationQuery: {
    ...NODE,
    ...named("source funnelCorrelationType funnelCorrelationNames funnelCorrelationExcludeNames"),
    ...named(
      "funnelCorrelationEventNames funnelCorrelationEventExcludePropertyNames funnelCorrelationExcludeEventNames",
    ),
  },
  InsightActorsQueryOptions: { ...NODE, source: true },
  GroupsQuery: { ...NODE, ...PAGE, ...named("group_type_index select search properties orderBy") },
  SessionsQuery: {
    ...NODE,
    ...FILTERS,
    ...PAGE,
    ...named("select where event eventProperties personId actionId before after orderBy"),
  },
  SessionsTimelineQuery: { ...NODE, ...named("personId after before") },
  WebOverviewQuery: WEB,
  WebStatsTableQuery: {
    ...WEB,
    ...PAGE,
    ...named("breakdownBy includeBounceRate includeScrollDepth includeAvgTimeOnPage orderBy"),
  },
  WebExternalClicksTableQuery: { ...WEB, ...PAGE, ...named("stripQueryParams orderBy") },
  WebPageURLSearchQuery: { ...WEB, ...PAGE, ...named("searchTerm stripQueryParams") },
  WebGoalsQuery: { ...WEB, ...PAGE, orderBy: true },
  WebVitalsQuery: { ...WEB, source: true },
  WebVitalsPathBreakdownQuery: { ...WEB, ...named("percentile metric thresholds") },
  PropertyValuesQuery: { ...NODE, ...named("property_type property_key search_value event_names is_column") },
  TeamTaxonomyQuery: { ...NODE, ...PAGE },
  EventTaxonomyQuery: { ...NODE, ...named("event properties maxPropertyValues") },
  ActorsPropertyTaxonomyQuery: { ...NODE, ...named("property properties groupTypeIndex maxPropertyValues") },
  DatabaseSchemaQuery: NODE,
  HogQLMetadata: { ...NODE, ...named("language query filters globals variables sourceQuery debug") },
  HogQLAutocomplete: { ...NODE, ...named("language query startPosition endPosition filters globals sourceQuery") },
}
