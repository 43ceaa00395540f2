import { combined } from "./combinators.js"
import { define, type FunctionDefinition } from "./definition.js"

const aggregate = { isAggregate: true } as const
const counting = { isAggregate: true, nulls: "never" } as const

const PLAIN: readonly FunctionDefinition[] = [
  ...define({ Integer: "count:0-1" }, { ...counting, anyCase: true }),
  ...define(
    {
      Integer:
        "countDistinct=uniqExact:1 uniq:1+ uniqExact:1+ uniqHLL12:1+ uniqTheta=uniq:1+ uniqCombined:1+ uniqCombined64:1+",
      Array:
        "groupArrayInsertAt:2 sumForEach:1 retention:1-32 groupArrayIntersect:1 covarPopMatrix:1+ covarSampMatrix:1+ corrMatrix:1+",
    },
    counting,
  ),
  ...define({ Same: "min:1 max:1 sum:1" }, { ...aggregate, anyCase: true }),
  ...define({ Float: "avg:1" }, { ...aggregate, anyCase: true, nulls: "always" }),
  ...define(
    { Same: "any_respect_nulls:1 anyLast_respect_nulls:1 first_value_respect_nulls:1 last_value_respect_nulls:1" },
    { ...aggregate, nulls: "always" },
  ),
  ...define(
    {
      Integer: "bit_and=groupBitAnd:1 bit_or=groupBitOr:1 bit_xor=groupBitXor:1 approx_count_distinct=uniq:1",
      Array: "array_agg=groupArray:1",
    },
    { ...aggregate, anyCase: true },
  ),
  ...define(
    {
      Same: "any:1 anyLast:1 anyHeavy:1 argMin:2 argMax:2 first_value:1 last_value:1 any_value=any:1",
      Float:
        "median:1 medianExact:1 medianExactLow:1 medianExactHigh:1 medianExactWeighted:2 medianTiming:1 medianTimingWeighted:2 medianDeterministic:2 medianTDigest:1 medianTDigestWeighted:2 medianBFloat16:1 stddevPop:1 stddevSamp:1 varPop:1 varSamp:1 skewPop:1 skewSamp:1 kurtPop:1 kurtSamp:1 covarPop:2 covarSamp:2 corr:2 avgWeighted:2 stddev_pop=stddevPop:1 stddev_samp=stddevSamp:1 var_pop=varPop:1 var_samp=varSamp:1 sumKahan:1 entropy:1 rankCorr:2 contingency:2 cramersV:2 cramersVBiasCorrected:2 theilsU:2 stddev=stddevSamp:1 std=stddevPop:1 variance=varSamp:1 stddevPopStable:1 stddevSampStable:1 varPopStable:1 varSampStable:1 covarPopStable:2 covarSampStable:2 corrStable:2 boundingRatio:2 medianInterpolatedWeighted:2 singleValueOrNull:1",
      Integer:
        "groupBitmap:1 groupBitmapAnd:1 groupBitmapOr:1 groupBitmapXor:1 groupBitAnd:1 groupBitOr:1 groupBitXor:1 deltaSum:1 deltaSumTimestamp:2 intervalLengthSum:2",
      Unknown:
        "sumMap:1+ minMap:1+ maxMap:1+ simpleLinearRegression:2 sumWithOverflow:1 sumCount:1 maxIntersections:2 maxIntersectionsPosition:2 max_by=argMax:2 min_by=argMin:2 argAndMin:2 argAndMax:2 sumMappedArrays:1+ minMappedArrays:1+ maxMappedArrays:1+ welchTTest:2 studentTTest:2 mannWhitneyUTest:2 kolmogorovSmirnovTest:2 analysisOfVariance:2",
      Boolean: "every=min:1 bool_and=min:1 bool_or=max:1",
    },
    aggregate,
  ),
  ...define(
    {
      Array:
        "groupUniqArray:1 groupArray:1 groupArrayLast:1 groupArraySorted:1 groupArraySample:1 groupArrayMovingAvg:1 groupArrayMovingSum:1 topK:1 topKWeighted:2",
    },
    { ...counting, parameters: "optional" },
  ),
  ...define(
    {
      Float:
        "quantile:1 quantileExact:1 quantileTDigest:1 quantileTiming:1 quantileDeterministic:2 quantileExactWeighted:2 quantileBFloat16:1 quantileExactLow:1 quantileExactHigh:1 quantileTDigestWeighted:2 quantileTimingWeighted:2 quantileExactInclusive:1 quantileExactExclusive:1 quantileInterpolatedWeighted:2 quantileBFloat16Weighted:2 quantileDD:1 quantileGK:1 medianGK:1 medianDD:1 exponentialMovingAverage:2",
      Array:
        "quantiles:1 quantilesExact:1 quantilesTDigest:1 quantilesTiming:1 quantilesExactLow:1 quantilesExactHigh:1 histogram:1 quantilesGK:1 quantilesTDigestWeighted:2 quantilesDeterministic:2 quantilesExactWeighted:2 quantilesTimingWeighted:2 quantilesBFloat16:1 quantilesExactInclusive:1 quantilesExactExclusive:1 quantilesInterpolatedWeighted:2 largestTriangleThreeBuckets:2 lttb=largestTriangleThreeBuckets:2 approx_top_k:1 approx_top_count=approx_top_k:1 approx_top_sum:2",
    },
    { ...aggregate, parameters: "required" },
  ),
  ...define(
    { Integer: "uniqUpTo:1 windowFunnel:2-33 sequenceCount:2-33", Boolean: "sequenceMatch:2-33" },
    { ...counting, parameters: "required" },
  ),
]

/** Aggregates that stand for an expression of others; `resolve/expansions.ts` says which. */
export const EXPANDED_AGGREGATES = [
  ...define(
    { String: "string_agg:2 group_concat=string_agg:1-2 listagg=string_agg:1-2 json_agg:1" },
    {
      ...counting,
      anyCase: true,
    },
  ),
  ...define({ Float: "percentile_cont:1 percentile_disc:1", Unknown: "mode:0-1" }, { ...aggregate, anyCase: true }),
]

export const AGGREGATES: readonly FunctionDefinition[] = [
  ...PLAIN,
  ...PLAIN.map((plain) => combined(plain, "If")),
  ...EXPANDED_AGGREGATES,
]

/** Functions that only stand before an OVER; aggregates may too. */
export const WINDOW_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define(
    {
      Integer: "row_number:0 rank:0 dense_rank:0 denseRank=dense_rank:0 ntile:1",
      Float: "percent_rank:0 percentRank=percent_rank:0 cume_dist:0",
    },
    { ...aggregate, nulls: "never", anyCase: true },
  ),
  ...define({ Same: "lag:1-3 lead:1-3 lagInFrame:1-3 leadInFrame:1-3 nth_value:2" }, { ...aggregate, nulls: "always" }),
  ...define({ Float: "nonNegativeDerivative:2-3" }, { ...aggregate, nulls: "always" }),
  ...define(
    {
      Float:
        "exponentialTimeDecayedAvg:2 exponentialTimeDecayedSum:2 exponentialTimeDecayedMax:2 exponentialTimeDecayedCount:1",
    },
    { ...aggregate, parameters: "required" },
  ),
]
