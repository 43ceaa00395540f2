import { define, type FunctionDefinition } from "./definition.js"

const anyCase = { anyCase: true } as const
const never = { nulls: "never" } as const
const always = { nulls: "always" } as const

/** Functions that the engine has, under the same name or another one. */
export const PLAIN_FUNCTIONS: readonly FunctionDefinition[] = [
  // Arithmetic, rounding and mathematics.
  ...define({
    Float:
      "divide:2 e:0 pi:0 exp:1 log=log:1 ln=log:1 exp2:1 log2:1 exp10:1 log10:1 sqrt:1 cbrt:1 erf:1 erfc:1 lgamma:1 tgamma:1 sin:1 cos:1 tan:1 asin:1 acos:1 atan:1 atan2:2 sinh:1 cosh:1 tanh:1 asinh:1 acosh:1 atanh:1 hypot:2 log1p:1 degrees:1 radians:1 pow:2 power=pow:2 sigmoid:1 multiplyDecimal:2-3 divideDecimal:2-3 midpoint:2 avg2=midpoint:2 polygonAreaCartesian:1",
    Same: "plus:2 minus:2 multiply:2 negate:1 modulo:2 positiveModulo:2 gcd:2 lcm:2 max2:2 min2:2 trunc:1-2 truncate=trunc:1-2 roundBankers:1-2 roundDown:2 clamp:3 ifNotFinite:2 toLowCardinality:1",
    Integer:
      "intDiv:2 intDivOrZero:2 moduloOrZero:2 sign:1 factorial:1 roundToExp2:1 roundAge:1 roundDuration:1 byteSize:1+ intExp2:1 intExp10:1 width_bucket:4 bitAnd:2 bitOr:2 bitXor:2 bitNot:1 bitShiftLeft:2 bitShiftRight:2 bitRotateLeft:2 bitRotateRight:2 bitTest:2 bitTestAll:2+ bitTestAny:2+ bitCount:1 bitHammingDistance:2 countDigits:1",
    Boolean: "isFinite:1 isInfinite:1 isNaN:1 isnan=isNaN:1 isNullable:1 isConstant:1 isDecimalOverflow:1-2",
  }),
  ...define({ Same: "abs:1 round:1-2 floor:1-2 ceil:1-2 ceiling=ceil:1-2 mod=modulo:2" }, anyCase),
  // Conditions and nulls.
  ...define({ Boolean: "isNull:1" }, { ...never, anyCase: true }),
  ...define({ Boolean: "isNotNull:1 isZeroOrNull:1 empty:1 notEmpty:1" }, never),
  // The grammar reads `NOT (a)` as a call.
  ...define({ Boolean: "and:2+ or:2+ xor:2+ not:1", Same: "greatest:1+ least:1+" }, anyCase),
  ...define({ Same: "assumeNotNull:1" }, never),
  ...define({ Same: "toNullable:1" }, always),
  ...define({ Same: "nullIf:2" }, { ...always, anyCase: true }),
  // Text.
  ...define(
    {
      String:
        "lower:1 upper:1 substring:2-3 replace=replaceAll:3 trim=trimBoth:1-2 ltrim=trimLeft:1-2 rtrim=trimRight:1-2 left:2 right:2 repeat:2 reverse:1 lpad=leftPad:2-3 rpad=rightPad:2-3 ucase=upper:1 lcase=lower:1 regexp_replace=replaceRegexpAll:3 concat_ws=concatWithSeparator:1+",
      Integer:
        "length:1 char_length=lengthUTF8:1 character_length=lengthUTF8:1 octet_length=length:1 strpos=position:2 position:2-3 ascii:1 locate=position:2-3",
    },
    anyCase,
  ),
  ...define({
    String:
      "leftUTF8:2 rightUTF8:2 lowerUTF8:1 upperUTF8:1 toValidUTF8:1 reverseUTF8:1 substringUTF8:2-3 substringIndex:3 substr=substring:2-3 mid=substring:2-3 format:2+ concatAssumeInjective:1+ concatWithSeparator:1+ appendTrailingCharIfAbsent:2 trimLeft:1-2 trimRight:1-2 trimBoth:1-2 leftPad:2-3 rightPad:2-3 leftPadUTF8:2-3 rightPadUTF8:2-3 space:1 char:1+ convertCharset:3 initcap:1 initcapUTF8:1 translate:3 translateUTF8:3 soundex:1 encodeXMLComponent:1 decodeXMLComponent:1 decodeHTMLComponent:1 extractTextFromHTML:1 normalizeUTF8NFC:1 normalizeUTF8NFD:1 normalizeUTF8NFKC:1 normalizeUTF8NFKD:1 extract:2 regexpExtract:2-3 replaceOne:3 replaceAll:3 replaceRegexpOne:3 replaceRegexpAll:3 regexpQuoteMeta:1 arrayStringConcat:1-2 substringIndexUTF8:3 firstLine:1 overlay:3-4 overlayUTF8:3-4 basename:1 conv:3 naturalSortKey:1 removeDiacriticsUTF8:1 caseFoldUTF8:1 normalizeUTF8NFKCCasefold:1 concatWithSeparatorAssumeInjective:1+ reverseBySeparator:1-2 toStringCutToZero:1 toDecimalString:2",
    Integer:
      "lengthUTF8:1 leftOver=length:1 positionCaseInsensitive:2-3 positionUTF8:2-3 positionCaseInsensitiveUTF8:2-3 countSubstrings:2-3 countSubstringsCaseInsensitive:2-3 countMatches:2 countMatchesCaseInsensitive:2 multiSearchFirstPosition:2 multiSearchFirstPositionCaseInsensitive:2 multiSearchFirstPositionUTF8:2 multiSearchFirstPositionCaseInsensitiveUTF8:2 multiSearchFirstIndex:2 multiSearchFirstIndexCaseInsensitive:2 multiSearchFirstIndexUTF8:2 multiSearchFirstIndexCaseInsensitiveUTF8:2 multiMatchAnyIndex:2 multiFuzzyMatchAnyIndex:3 countSubstringsCaseInsensitiveUTF8:2-3 levenshteinDistance:2 editDistance:2 damerauLevenshteinDistance:2 levenshteinDistanceUTF8:2 editDistanceUTF8=levenshteinDistanceUTF8:2 byteHammingDistance:2 mismatches=byteHammingDistance:2 stringBytesUniq:1 compareSubstrings:5 visibleWidth:1",
    Boolean:
      "startsWith:2 endsWith:2 startsWithUTF8:2 endsWithUTF8:2 match:2 multiSearchAny:2 multiSearchAnyCaseInsensitive:2 multiMatchAny:2 hasToken:2 hasTokenCaseInsensitive:2 starts_with=startsWith:2 multiSearchAnyUTF8:2 multiSearchAnyCaseInsensitiveUTF8:2 multiFuzzyMatchAny:3 isValidUTF8:1 hasSubsequence:2 hasSubsequenceCaseInsensitive:2 isASCII:1 startsWithCaseInsensitive:2 endsWithCaseInsensitive:2",
    Array:
      "multiSearchAllPositions:2 multiSearchAllPositionsCaseInsensitive:2 multiSearchAllPositionsUTF8:2 multiSearchAllPositionsCaseInsensitiveUTF8:2 multiMatchAllIndices:2 multiFuzzyMatchAllIndices:3 extractAllGroups:2 extractAll:2 extractAllGroupsHorizontal:2 extractAllGroupsVertical:2 extractGroups:2 alphaTokens:1-2 splitByChar:2-3 splitByString:2-3 splitByRegexp:2-3 splitByWhitespace:1-2 splitByNonAlpha:1-2 ngrams:2 tokens:1+ sparseGrams:1-3",
    Float:
      "ngramDistance:2 ngramDistanceUTF8:2 ngramDistanceCaseInsensitive:2 ngramDistanceCaseInsensitiveUTF8:2 ngramSearch:2 ngramSearchUTF8:2 ngramSearchCaseInsensitive:2 ngramSearchCaseInsensitiveUTF8:2 jaroSimilarity:2 jaroWinklerSimilarity:2 stringJaccardIndex:2 stringJaccardIndexUTF8:2 stringBytesEntropy:1",
  }),
  // As other databases call them.
  ...define(
    {
      Integer:
        "instr=position:2 dayofweek=toDayOfWeek:1-3 dayofyear=toDayOfYear:1 dayofmonth=toDayOfMonth:1 week=toWeek:1-3 yearweek=toYearWeek:1-3 to_days=toDaysSinceYearZero:1 bit_count=bitCount:1",
      Date: "last_day=toLastDayOfMonth:1 from_days=fromDaysSinceYearZero:1",
      Boolean: "regexp_like=match:2 regexp_matches=match:2",
      String: "regexp_extract=regexpExtract:2-3 chr=char:1 date_format=formatDateTime:2-3 monthname=monthName:1",
    },
    anyCase,
  ),
  ...define(
    {
      Boolean: "hasTokenOrNull:2 hasTokenCaseInsensitiveOrNull:2",
      Float: "divideOrNull:2",
      Same: "intDivOrNull:2 moduloOrNull:2 positiveModuloOrNull:2",
      Integer: "parseReadableSizeOrNull:1 IPv4StringToNumOrNull:1",
      String: "IPv6StringToNumOrNull:1",
    },
    always,
  ),
  // JSON.
  ...define({
    Boolean:
      "isValidJSON:1 JSONHas:1+ JSON_EXISTS:2 JSONExtractBool:1+ simpleJSONHas:2 simpleJSONExtractBool:2 visitParamHas:2 visitParamExtractBool:2 JSONExtractBoolCaseInsensitive:1+",
    Integer:
      "JSONLength:1+ JSONExtractInt:1+ JSONExtractUInt:1+ JSONArrayLength:1 simpleJSONExtractInt:2 simpleJSONExtractUInt:2 visitParamExtractInt:2 visitParamExtractUInt:2 JSONExtractIntCaseInsensitive:1+ JSONExtractUIntCaseInsensitive:1+ JSON_ARRAY_LENGTH=JSONArrayLength:1",
    Float: "JSONExtractFloat:1+ simpleJSONExtractFloat:2 visitParamExtractFloat:2 JSONExtractFloatCaseInsensitive:1+",
    String:
      "JSONType:1+ JSONExtractString:1+ JSONExtractRaw:1+ toJSONString:1 simpleJSONExtractString:2 simpleJSONExtractRaw:2 visitParamExtractString:2 visitParamExtractRaw:2 JSON_VALUE:2 JSON_QUERY:2 JSONExtractStringCaseInsensitive:1+ JSONExtractRawCaseInsensitive:1+ JSONMergePatch:1+ jsonMergePatch=JSONMergePatch:1+ JSONKey:2",
  }),
  // URLs.
  ...define({
    String:
      "protocol:1 domain:1 domainWithoutWWW:1 topLevelDomain:1 firstSignificantSubdomain:1 cutToFirstSignificantSubdomain:1 cutToFirstSignificantSubdomainWithWWW:1 path:1 pathFull:1 queryString:1 fragment:1 queryStringAndFragment:1 extractURLParameter:2 decodeURLComponent:1 encodeURLComponent:1 encodeURLFormComponent:1 decodeURLFormComponent:1 netloc:1 cutWWW:1 cutQueryString:1 cutFragment:1 cutQueryStringAndFragment:1 cutURLParameter:2 domainRFC:1 domainWithoutWWWRFC:1 topLevelDomainRFC:1 firstSignificantSubdomainRFC:1 cutToFirstSignificantSubdomainRFC:1 cutToFirstSignificantSubdomainWithWWWRFC:1",
    Integer: "port:1 portRFC:1",
    Array: "extractURLParameters:1 extractURLParameterNames:1 URLHierarchy:1 URLPathHierarchy:1",
  }),
  // Hashes and encodings.
  ...define({
    String:
      "hex:1 unhex:1 bin:1 unbin:1 base64Encode:1 base64Decode:1 tryBase64Decode:1 base58Encode:1 base58Decode:1 MD4:1 MD5:1 SHA1:1 SHA224:1 SHA256:1 SHA384:1 SHA512:1 tryBase58Decode:1 base64URLEncode:1 base64URLDecode:1 halfMD5:1+ bitmaskToList:1 base32Encode:1 base32Decode:1 tryBase32Decode:1 tryBase64URLDecode:1 to_base64=base64Encode:1 from_base64=base64Decode:1 SHA512_256:1 keccak256:1 RIPEMD160:1 HMAC:3 sipHash128:1+ murmurHash3_128:1+ sqidEncode:1+",
    Integer:
      "sipHash64:1+ cityHash64:1+ farmHash64:1+ metroHash64:1+ murmurHash2_32:1+ murmurHash2_64:1+ murmurHash3_32:1+ murmurHash3_64:1+ xxHash32:1 xxHash64:1 javaHash:1 javaHashUTF16LE:1 hiveHash:1 farmFingerprint64:1+ gccMurmurHash:1+ URLHash:1-2 wyHash64:1+ intHash32:1 intHash64:1 CRC32:1 CRC64:1 jumpConsistentHash:2 xxh3:1+ xxh3_128:1+ kafkaMurmurHash:1 ngramSimHash:1-2 wordShingleSimHash:1-2",
    Array: "bitmaskToArray:1 bitPositionsToArray:1 sqidDecode:1",
  }),
  // Tuples and maps.
  ...define({
    Unknown:
      "tupleElement:2-3 map:0+ mapAdd:1+ mapSubtract:1+ mapFilter:2 mapApply:2 mapFromArrays:2 mapUpdate:2 mapSort:1-2 mapReverseSort:1-2 mapConcat:1+ mapExtractKeyLike:2 flattenTuple:1 tupleModulo:2 tupleNegate:1 tupleMultiplyByNumber:2 tupleDivideByNumber:2 tuplePlus:2 tupleMinus:2 tupleMultiply:2 tupleDivide:2 dotProduct:2 scalarProduct=dotProduct:2 arrayDotProduct:2 tupleIntDiv:2 tupleIntDivOrZero:2 tupleIntDivByNumber:2 tupleIntDivOrZeroByNumber:2 tupleModuloByNumber:2 vectorSum=tuplePlus:2 vectorDifference=tupleMinus:2 mapExtractValueLike:2 mapPartialSort:2-3 extractKeyValuePairs:1-4 str_to_map=extractKeyValuePairs:1-4",
    Tuple: "tuple:0+ tupleConcat:1+",
    Array: "mapKeys:1 mapValues:1 tupleToNameValuePairs:1 tupleNames:1",
    Boolean:
      "mapContains:2 mapContainsKeyLike:2 mapExists:2 mapAll:2 mapContainsKey=mapContains:2 mapContainsValue:2 mapContainsValueLike:2",
    Integer: "tupleHammingDistance:2",
  }),
  // Identifiers, addresses and places.
  ...define({
    String:
      "UUIDNumToString:1 IPv4NumToString:1 IPv4NumToStringClassC:1 IPv6NumToString:1 h3ToString:1 geohashEncode:2-3 toTypeName:1 formatReadableSize:1 formatReadableQuantity:1 formatReadableTimeDelta:1-3 formatReadableDecimalSize:1 bar:3-4 fromModifiedJulianDay:1 cutIPv6:3 IPv6StringToNum:1 IPv6StringToNumOrDefault:1",
    Boolean: "isIPv4String:1 isIPv6String:1 isIPAddressInRange:2 h3IsValid:1 pointInPolygon:2+ pointInEllipses:6+",
    Integer:
      "IPv4StringToNum:1 h3GetResolution:1 geoToH3:3 h3GetBaseCell:1 h3ToParent:2 stringToH3:1 h3Distance:2 rowNumberInAllBlocks:0 toModifiedJulianDay:1 rowNumberInBlock:0 parseReadableSize:1 IPv4StringToNumOrDefault:1 MACStringToNum:1 MACStringToOUI:1",
    Float:
      "greatCircleDistance:4 geoDistance:4 greatCircleAngle:4 h3EdgeAngle:1 h3EdgeLengthM:1 h3EdgeLengthKm:1 h3CellAreaM2:1 L1Norm:1 L2Norm:1 LinfNorm:1 LpNorm:2 LpDistance:3 L1Distance:2 L2Distance:2 LinfDistance:2 cosineDistance:2 L2SquaredNorm:1 L2SquaredDistance:2 normL1=L1Norm:1 normL2=L2Norm:1 normLinf=LinfNorm:1 normLp=LpNorm:2 distanceL1=L1Distance:2 distanceL2=L2Distance:2 distanceL2Squared=L2SquaredDistance:2 distanceLinf=LinfDistance:2 distanceLp=LpDistance:3 parseTimeDelta:1 arrayROCAUC:2-4 arrayPRAUC:2-3 arrayJaccardIndex:2",
    Unknown:
      "toIPv4:1 toIPv6:1 toIPv4OrNull:1 toIPv6OrNull:1 IPv4CIDRToRange:2 geohashDecode:1 h3ToGeo:1 transform:3-4 toFixedString:2 ignore:0+ identity:1 materialize:1 IPv6CIDRToRange:2 IPv4ToIPv6:1 toIPv4OrDefault:1 toIPv6OrDefault:1 toIPv4OrZero:1 toIPv6OrZero:1 proportionsZTest:6 minSampleSizeConversion:4 minSampleSizeContinuous:5 minSampleSizeContinous=minSampleSizeContinuous:5 finalizeAggregation:1 seriesOutliersDetectTukey:1-4",
    Array: "h3kRing:2 h3ToChildren:2 geohashesInBox:5",
  }),
  // Other values each time.
  ...define({
    UUID: "generateUUIDv4:0-1 generateUUIDv7:0-1",
    Integer: "rand=rand32:0-1 rand32:0-1 rand64:0-1 randConstant:0-1 randPoisson:1 randBinomial:2 randBernoulli:1",
    Float:
      "randCanonical:0-1 randUniform:2 randNormal:2 randLogNormal:2 randExponential:1 randChiSquared:1 randStudentT:1 randFisherF:2",
    Unknown:
      "UUIDStringToNum:1 L1Normalize:1 L2Normalize:1 LinfNormalize:1 LpNormalize:2 mapPopulateSeries:1-3 grouping:1+ runningDifference:1 neighbor:2-3 indexHint:1",
  }),
  // Arrays; functions that take a lambda take it first.
  ...define({
    Array:
      "array:0+ arrayConcat:1+ arrayMap:2+ arrayFilter:2+ arrayFill:2+ arrayReverseFill:2+ arraySplit:2+ arraySort:1+ arrayReverseSort:1+ arrayPartialSort:2+ arrayDistinct:1 arrayUniqueValues=arrayDistinct:1 arrayIntersect:1+ arrayUnion:1+ arrayEnumerate:1+ arrayEnumerateUniq:1+ arrayEnumerateDense:1+ arrayPopBack:1 arrayPopFront:1 arrayPushBack:2 arrayPushFront:2 arrayResize:2-3 arraySlice:2-3 arrayReverse:1 arrayFlatten:1 arrayCompact:1 arrayZip:1+ arrayDifference:1 arrayCumSum:1+ arrayCumSumNonNegative:1+ arrayShuffle:1-2 arrayRotateLeft:2 arrayRotateRight:2 arrayShiftLeft:2-3 arrayShiftRight:2-3 arrayWithConstant:2 range:1-3 emptyArrayToSingle:1 arrayAUC:2 arrayRandomSample:2 arrayReverseSplit:2+ arrayPartialReverseSort:2+ arrayShingles:2 timeSlots:2-3 arrayRemove:2 arrayExcept:2 arraySymmetricDifference:1+ arrayZipUnaligned:1+ arrayTranspose:1 arrayPartialShuffle:1-3 arrayNormalizedGini:2 emptyArrayString:0 emptyArrayInt64:0 emptyArrayFloat64:0 emptyArrayUInt64:0 emptyArrayDate:0 emptyArrayDateTime:0",
    Unknown:
      "arrayReduce:2+ arrayElement:2 arrayElementOrNull:2 arrayJoin:1 arrayFirst:2+ arrayLast:2+ arrayFirstOrNull:2+ arrayLastOrNull:2+ arrayFold:3+ arrayReduceInRanges:3+ arrayMin:1+ arrayMax:1+ arraySum:1+ arrayAvg:1+ arrayProduct:1+",
  }),
  ...define({ Boolean: "has:2 hasAll:2 hasAny:2 hasSubstr:2 arrayExists:1+ arrayAll:1+" }, { nulls: "never" }),
  ...define(
    {
      Integer:
        "indexOf:2 countEqual:2 arrayCount:1+ arrayUniq:1+ arrayFirstIndex:2+ arrayLastIndex:2+ indexOfAssumeSorted:2 cardinality=length:1",
    },
    {
      nulls: "never",
    },
  ),
  // Sets of whole numbers as bitmaps, and the bits of texts.
  ...define({
    Unknown:
      "bitmapBuild:1 bitmapSubsetInRange:3 bitmapSubsetLimit:3 subBitmap:3 bitmapTransform:3 bitmapAnd:2 bitmapOr:2 bitmapXor:2 bitmapAndnot:2",
    Array: "bitmapToArray:1",
    Boolean: "bitmapContains:2 bitmapHasAny:2 bitmapHasAll:2",
    Integer:
      "bitmapCardinality:1 bitmapMin:1 bitmapMax:1 bitmapAndCardinality:2 bitmapOrCardinality:2 bitmapXorCardinality:2 bitmapAndnotCardinality:2 reinterpretAsUInt8:1 reinterpretAsUInt16:1 reinterpretAsUInt32:1 reinterpretAsUInt64:1 reinterpretAsUInt128:1 reinterpretAsUInt256:1 reinterpretAsInt8:1 reinterpretAsInt16:1 reinterpretAsInt32:1 reinterpretAsInt64:1 reinterpretAsInt128:1 reinterpretAsInt256:1",
    String: "bitSlice:2-3",
    Float: "reinterpretAsFloat32:1 reinterpretAsFloat64:1",
    UUID: "reinterpretAsUUID:1",
  }),
  // Cells of the H3 grid; those asked for most stand with the other places.
  ...define({
    Float:
      "h3HexAreaM2:1 h3HexAreaKm2:1 h3CellAreaRads2:1 h3ExactEdgeLengthM:1 h3ExactEdgeLengthKm:1 h3ExactEdgeLengthRads:1 h3PointDistM:4 h3PointDistKm:4 h3PointDistRads:4",
    Boolean: "h3IndexesAreNeighbors:2 h3IsResClassIII:1 h3IsPentagon:1 h3UnidirectionalEdgeIsValid:1",
    Integer:
      "h3ToCenterChild:2 h3NumHexagons:1 h3GetUnidirectionalEdge:2 h3GetOriginIndexFromUnidirectionalEdge:1 h3GetDestinationIndexFromUnidirectionalEdge:1",
    Array:
      "h3ToGeoBoundary:1 h3GetFaces:1 h3GetRes0Indexes:0 h3GetPentagonIndexes:1 h3Line:2 h3HexRing:2 h3GetUnidirectionalEdgesFromHexagon:1 h3GetUnidirectionalEdgeBoundary:1",
    Tuple: "h3GetIndexesFromUnidirectionalEdge:1",
  }),
  // Times.
  ...define({
    Integer:
      "toYear:1 toQuarter:1 toMonth:1 toDayOfYear:1 toDayOfMonth:1 toDayOfWeek:1-3 toHour:1 toMinute:1 toSecond:1 toMillisecond:1 toISOYear:1 toISOWeek:1 toWeek:1-3 toYearWeek:1-3 toYYYYMM:1 toYYYYMMDD:1 toYYYYMMDDhhmmss:1 toRelativeYearNum:1 toRelativeQuarterNum:1 toRelativeMonthNum:1 toRelativeWeekNum:1 toRelativeDayNum:1 toRelativeHourNum:1 toRelativeMinuteNum:1 toRelativeSecondNum:1 age:3 dateDiff:3 date_diff=dateDiff:3 toUnixTimestamp64Milli:1 toUnixTimestamp64Micro:1 toUnixTimestamp64Nano:1 timeZoneOffset:1 timeDiff:2 toDaysSinceYearZero:1 year=toYear:1 month=toMonth:1 day=toDayOfMonth:1 hour=toHour:1 minute=toMinute:1 second=toSecond:1 quarter=toQuarter:1 toYearNumSinceEpoch:1 toMonthNumSinceEpoch:1",
    Date: "toLastDayOfMonth:1 toLastDayOfWeek:1-2 toMonday:1 toStartOfISOYear:1 toStartOfYear:1 toStartOfQuarter:1 toStartOfMonth:1 makeDate:3 makeDate32=makeDate:3 fromDaysSinceYearZero:1",
    DateTime:
      "toStartOfDay:1-2 toStartOfHour:1 toStartOfMinute:1 toStartOfSecond:1 toStartOfFiveMinutes:1 toStartOfFiveMinute=toStartOfFiveMinutes:1 toStartOfTenMinutes:1 toStartOfFifteenMinutes:1 toStartOfMillisecond:1 toStartOfMicrosecond:1 toStartOfNanosecond:1 timeSlot:1 toTimeZone:2 fromUnixTimestamp64Milli:1-2 fromUnixTimestamp64Micro:1-2 fromUnixTimestamp64Nano:1-2 UUIDv7ToDateTime:1-2 tumbleStart:1-3 tumbleEnd:1-3 hopStart:1-3 hopEnd:1-3",
    Same: "dateAdd:2-3 date_add=dateAdd:2-3 dateSub:2-3 date_sub=dateSub:2-3 timestampAdd:2-3 timestampSub:2-3 timeStampAdd=timestampAdd:2-3 timeStampSub=timestampSub:2-3 addDate:2 subDate:2 addYears:2 addQuarters:2 addMonths:2 addWeeks:2 addDays:2 addHours:2 addMinutes:2 addSeconds:2 addMilliseconds:2 addMicroseconds:2 addNanoseconds:2 changeYear:2 changeMonth:2 changeDay:2 changeHour:2 changeMinute:2 changeSecond:2 subtractYears:2 subtractQuarters:2 subtractMonths:2 subtractWeeks:2 subtractDays:2 subtractHours:2 subtractMinutes:2 subtractSeconds:2 subtractMilliseconds:2 subtractMicroseconds:2 subtractNanoseconds:2",
    Unknown: "toStartOfInterval:2-3 date_trunc=dateTrunc:2-3 dateTrunc:2-3 toTime:1",
    Tuple: "tumble:2-3 hop:3-4",
    String: "formatDateTime:1-3 monthName:1 dateName:2 timeZoneOf:1 formatDateTimeInJodaSyntax:2-3",
    Interval:
      "toIntervalSecond:1 toIntervalMinute:1 toIntervalHour:1 toIntervalDay:1 toIntervalWeek:1 toIntervalMonth:1 toIntervalQuarter:1 toIntervalYear:1 toIntervalMillisecond:1 toIntervalMicrosecond:1 toIntervalNanosecond:1",
  }),
]
