/** Finds out what a result is and draws it: insights as charts, rows as a table, a running query as its progress. */
export const PICTURE_SCRIPT = `
import { drawFunnel, drawLines, drawRetention, element } from "./chart.js"
import { drawTable } from "./table.js"

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** Each kind of result is known by the keys of its items, as REST and GraphQL clients know it. */
const DRAWINGS = [
  [(items) => isObject(items[0]) && Array.isArray(items[0].data) && Array.isArray(items[0].days || items[0].labels), drawLines],
  [(items) => isObject(items[0]) && Array.isArray(items[0].values) && "date" in items[0], drawRetention],
  [(items) => isObject(items[0]) && "average_conversion_time" in items[0], (items) => drawFunnel([items])],
  [(items) => Array.isArray(items[0]) && isObject(items[0][0]) && "average_conversion_time" in items[0][0], drawFunnel],
]

function drawAnswer(answer) {
  if (!Array.isArray(answer.results)) return null
  if (Array.isArray(answer.columns)) return drawTable(answer.columns, answer.results)
  const found = answer.results.length > 0 && DRAWINGS.find(([fits]) => fits(answer.results))
  return found ? found[1](answer.results) : null
}

/** A run that is not over: its state, and a bar as far as the engine can tell. */
function drawRun(run) {
  if (isObject(run.answer)) return drawAnswer(run.answer)
  const progress = run.progress || {}
  const share = progress.percentage
  const bar = element("progress", { max: 100, "aria-label": "Part of the rows that has been read" })
  if (typeof share === "number") bar.value = share
  else if (run.endedAt || run.errorMessage) bar.value = 0
  const read = progress.rowsRead === undefined ? "" : Number(progress.rowsRead).toLocaleString("en") + " rows read"
  return element("div", { class: "progress" }, [
    element("strong", {}, [String(run.state)]),
    bar,
    element("span", { class: "hint" }, [run.errorMessage || read]),
  ])
}

/** A list of plain objects, in a page or not, as a table of their plain fields. */
function drawRecords(value) {
  const records = Array.isArray(value) ? value : value.nodes || (value.edges || []).map((edge) => edge && edge.node)
  if (!Array.isArray(records) || records.length === 0 || !records.every(isObject)) return null
  const columns = Object.keys(records[0])
  return drawTable(columns, records.map((record) => columns.map((column) => record[column])))
}

/** The picture of a GraphQL answer, or null where only its text says what it is. */
export function pictureOf(body) {
  if (!body || !isObject(body.data)) return null
  for (const value of Object.values(body.data)) {
    if (!value || typeof value !== "object") continue
    const picture = Array.isArray(value.results) ? drawAnswer(value) : "state" in value ? drawRun(value) : drawRecords(value)
    if (picture) return picture
  }
  return null
}
`
