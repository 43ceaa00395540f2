import { Field, Int, ObjectType } from "type-graphql"
import type { ShownTile } from "../dashboards.types.js"

@ObjectType("SharedTile", { description: "A tile of a dashboard as whoever has a link sees it." })
export class SharedTileType {
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
}

/** A tile whose query, if any, is run for whoever has a link. */
export type SharedTile = Pick<ShownTile, keyof SharedTileType | "projectId" | "query">

@ObjectType("SharedDashboard", { description: "A dashboard as whoever has a link sees it." })
export class SharedDashboardType {
  @Field(() => String, { description: "Name for people." })
  name!: string
  @Field(() => [SharedTileType], { description: "Its tiles." })
  tiles!: SharedTile[]
}
