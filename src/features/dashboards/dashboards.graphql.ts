import { Field, ID, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../kernel/json.js"
import { createConnectionType } from "../../platform/graphql/connection.js"
import { JsonScalar } from "../../platform/graphql/scalars.js"
import { SavedFilterInput, SavedInput, SavedType } from "../insights/index.js"

@ObjectType("DashboardTile", { description: "An insight or a text in the grid of a dashboard." })
export class DashboardTileType {
  @Field(() => ID, { description: "Names it within the dashboard." })
  id!: string
  @Field(() => Int, { description: "Column of its left side, 0 to 11." })
  x!: number
  @Field(() => Int, { description: "Row of its upper side." })
  y!: number
  @Field(() => Int, { description: "Width in columns; there are twelve." })
  w!: number
  @Field(() => Int, { description: "Height in rows." })
  h!: number
  @Field(() => String, { nullable: true, description: "Markdown, to be shown without HTML; null for an insight." })
  text!: string | null
  @Field(() => String, { nullable: true, description: "Name of the insight; null for a text." })
  name!: string | null
  @Field(() => Boolean, {
    description: "Whether the insight has been deleted; the tile shows nothing until it is restored.",
  })
  isInsightDeleted!: boolean
  @Field(() => Boolean, {
    description: "Whether dates or properties of the dashboard are left out, because the query has no place for them.",
  })
  isUnfiltered!: boolean
  @Field(() => JsonScalar, {
    nullable: true,
    description: "What is run: the insight's query under the dates and properties of the dashboard, as REST has it.",
  })
  query!: Json | null
}

@ObjectType("Dashboard", { implements: SavedType, description: "Insights and texts in a grid." })
export class DashboardType extends SavedType {
  @Field(() => Int, { description: "Number of the dashboard." })
  id!: number
  @Field(() => Boolean, { description: "Whether it is pinned to the top, for everybody." })
  pinned!: boolean
  @Field(() => JsonScalar, { description: "Dates and properties over all tiles: `{date_from, date_to, properties}`." })
  filters!: Json
  @Field(() => Int, { description: "Rises with each change of the tiles, which names it." })
  version!: number
}

export const DashboardConnection = createConnectionType("Dashboard", () => DashboardType)

@InputType("DashboardTileInput", { description: "A tile: either an insight or a text." })
export class DashboardTileInput {
  @Field(() => ID, { nullable: true, description: "Of a tile that is there; absent for a new one." })
  id?: string | null
  @Field(() => Int, { description: "Column of its left side, 0 to 11." })
  x!: number
  @Field(() => Int, { description: "Row of its upper side, 0 to 10,000." })
  y!: number
  @Field(() => Int, { description: "Width in columns; `x` and `w` together are at most 12." })
  w!: number
  @Field(() => Int, { description: "Height in rows, 1 to 100." })
  h!: number
  @Field(() => String, { nullable: true, description: "Short id of an insight." })
  insight?: string | null
  @Field(() => String, { nullable: true, description: "Markdown, at most 10,000 characters." })
  text?: string | null
}

@InputType("DashboardInput", { description: "Writable fields of a dashboard; an absent field stays as it is." })
export class DashboardInput extends SavedInput {
  @Field(() => Boolean, { nullable: true, description: "Pin to the top, for everybody." })
  pinned?: boolean | null
  @Field(() => JsonScalar, { nullable: true, description: "Dates and properties over all tiles." })
  filters?: Json
  @Field(() => [DashboardTileInput], { nullable: true, description: "All tiles, at most 100." })
  tiles?: DashboardTileInput[] | null
  @Field(() => Int, {
    nullable: true,
    description:
      "The version that the tiles were changed from; needed to change them, and refused when it is not the present one.",
  })
  version?: number | null
}

@InputType("DashboardFilter", { description: "Conditions of a list of dashboards; all given ones must hold." })
export class DashboardFilterInput extends SavedFilterInput {
  @Field(() => Boolean, { nullable: true, description: "Only pinned (true) or only unpinned (false) ones." })
  pinned?: boolean | null
  @Field(() => String, { nullable: true, description: "Only those that show the insight of this short id." })
  insight?: string | null
}
