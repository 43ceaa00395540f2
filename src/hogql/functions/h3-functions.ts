import { define, type FunctionDefinition } from "./definition.js"

/** Cells of the H3 grid; the ones asked for most stand with the other places in `plain-functions.ts`. */
export const H3_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define(
    "Float",
    "h3HexAreaM2:1 h3HexAreaKm2:1 h3CellAreaRads2:1 h3ExactEdgeLengthM:1 h3ExactEdgeLengthKm:1 h3ExactEdgeLengthRads:1 h3PointDistM:4 h3PointDistKm:4 h3PointDistRads:4",
  ),
  ...define("Boolean", "h3IndexesAreNeighbors:2 h3IsResClassIII:1 h3IsPentagon:1 h3UnidirectionalEdgeIsValid:1"),
  ...define(
    "Integer",
    "h3ToCenterChild:2 h3NumHexagons:1 h3GetUnidirectionalEdge:2 h3GetOriginIndexFromUnidirectionalEdge:1 h3GetDestinationIndexFromUnidirectionalEdge:1",
  ),
  ...define(
    "Array",
    "h3ToGeoBoundary:1 h3GetFaces:1 h3GetRes0Indexes:0 h3GetPentagonIndexes:1 h3Line:2 h3HexRing:2 h3GetUnidirectionalEdgesFromHexagon:1 h3GetUnidirectionalEdgeBoundary:1",
  ),
  ...define("Tuple", "h3GetIndexesFromUnidirectionalEdge:1"),
]
