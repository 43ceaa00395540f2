import { nodes } from "../../../../hogql/index.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import { readPaths, selectEdges, selectPaths } from "../paths/paths.js"
import { type PointActors, refuseGroups } from "./point-actors.js"

const { compare, constant, field } = nodes

/**
 * The persons who went from `pathStartKey`, to `pathEndKey`, or from the one to the other; with `pathDropoffKey` those whose
 * path ended there. Keys are a `source` or `target` of the answer; without any, everybody with a path of two steps.
 */
export const pathActors: PointActors = async (_reader, source, context) => {
  refuseGroups(source)
  const filter = source.object("pathsFilter")
  const [from, to, last] = ["pathStartKey", "pathEndKey", "pathDropoffKey"].map((name) => filter.text(name) || null)
  const paths = await readPaths(source, context)
  if (last != null) {
    if (from != null || to != null) throw filter.fault("pathDropoffKey", "cannot be used with another key")
    return template(
      `SELECT actor AS actor_id, count() AS event_count FROM {paths}
       WHERE notEmpty(path) AND concat(toString(length(path)), '_', path[-1].2) = {last} GROUP BY actor_id`,
      { paths: selectPaths(paths), last: constant(last) },
    )
  }
  const isAt = (name: string, key: string | null | undefined) =>
    key == null ? null : compare("==", field([name]), constant(key))
  return template("SELECT actor AS actor_id, count() AS event_count FROM {edges} WHERE {isThere} GROUP BY actor_id", {
    edges: selectEdges(paths),
    isThere: joinWithAnd([isAt("source", from), isAt("target", to)]),
  })
}
