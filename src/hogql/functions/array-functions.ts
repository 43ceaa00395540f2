import { define, type FunctionDefinition } from "./definition.js"

/** Functions over arrays; those that take a lambda take it first. */
export const ARRAY_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define(
    "Array",
    "array:0+ arrayConcat:1+ arrayMap:2+ arrayFilter:2+ arrayFill:2+ arrayReverseFill:2+ arraySplit:2+ arraySort:1+ arrayReverseSort:1+ arrayPartialSort:2+ arrayDistinct:1 arrayUniqueValues=arrayDistinct:1 arrayIntersect:1+ arrayUnion:1+ arrayEnumerate:1+ arrayEnumerateUniq:1+ arrayEnumerateDense:1+ arrayPopBack:1 arrayPopFront:1 arrayPushBack:2 arrayPushFront:2 arrayResize:2-3 arraySlice:2-3 arrayReverse:1 arrayFlatten:1 arrayCompact:1 arrayZip:1+ arrayDifference:1 arrayCumSum:1+ arrayCumSumNonNegative:1+ arrayShuffle:1-2 arrayRotateLeft:2 arrayRotateRight:2 arrayShiftLeft:2-3 arrayShiftRight:2-3 arrayWithConstant:2 range:1-3 emptyArrayToSingle:1 arrayAUC:2 arrayRandomSample:2 arrayReverseSplit:2+ arrayPartialReverseSort:2+ arrayShingles:2 timeSlots:2-3",
  ),
  ...define("Boolean", "has:2 hasAll:2 hasAny:2 hasSubstr:2 arrayExists:1+ arrayAll:1+", { nulls: "never" }),
  ...define("Integer", "indexOf:2 countEqual:2 arrayCount:1+ arrayUniq:1+ arrayFirstIndex:2+ arrayLastIndex:2+", {
    nulls: "never",
  }),
  ...define(
    "Unknown",
    "arrayReduce:2+ arrayElement:2 arrayElementOrNull:2 arrayJoin:1 arrayFirst:2+ arrayLast:2+ arrayFirstOrNull:2+ arrayLastOrNull:2+ arrayFold:3+ arrayReduceInRanges:3+ arrayMin:1+ arrayMax:1+ arraySum:1+ arrayAvg:1+ arrayProduct:1+",
  ),
]
