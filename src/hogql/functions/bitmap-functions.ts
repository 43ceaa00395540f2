import { define, type FunctionDefinition } from "./definition.js"

/** Sets of whole numbers as bitmaps, and the bits of texts. */
export const BITMAP_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define(
    "Unknown",
    "bitmapBuild:1 bitmapSubsetInRange:3 bitmapSubsetLimit:3 subBitmap:3 bitmapTransform:3 bitmapAnd:2 bitmapOr:2 bitmapXor:2 bitmapAndnot:2",
  ),
  ...define("Array", "bitmapToArray:1"),
  ...define("Boolean", "bitmapContains:2 bitmapHasAny:2 bitmapHasAll:2"),
  ...define(
    "Integer",
    "bitmapCardinality:1 bitmapMin:1 bitmapMax:1 bitmapAndCardinality:2 bitmapOrCardinality:2 bitmapXorCardinality:2 bitmapAndnotCardinality:2",
  ),
  ...define("String", "bitSlice:2-3"),
  ...define(
    "Integer",
    "reinterpretAsUInt8:1 reinterpretAsUInt16:1 reinterpretAsUInt32:1 reinterpretAsUInt64:1 reinterpretAsUInt128:1 reinterpretAsUInt256:1 reinterpretAsInt8:1 reinterpretAsInt16:1 reinterpretAsInt32:1 reinterpretAsInt64:1 reinterpretAsInt128:1 reinterpretAsInt256:1",
  ),
  ...define("Float", "reinterpretAsFloat32:1 reinterpretAsFloat64:1"),
  ...define("UUID", "reinterpretAsUUID:1"),
]
