/** Draws insights in SVG and plain elements. Only text nodes are made, so nothing shown can become markup. */
export const CHART_SCRIPT = `
// The parser knows the namespace of SVG, so that no address has to be written here.
const SVG = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg").namespaceURI
const WIDTH = 640, HEIGHT = 280, LEFT = 56, BOTTOM = 28, TOP = 12
const MAX_SERIES = 10

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}
/** An HTML element with attributes and children. */
export const element = (name, attributes, children = []) => fill(document.createElement(name), attributes, children)
const svg = (name, attributes, children = []) => fill(document.createElementNS(SVG, name), attributes, children)

const asNumber = (value) => Number(value).toLocaleString("en", { maximumFractionDigits: 2 })

/** The smallest of 1, 2, 4, 8 and 10 times a power of ten that is not below the value: its quarters are short to write. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 8, 10].map((step) => step * power).find((step) => step >= value)
}

/** One line a series over its days or labels; the first ten series. */
export function drawLines(series) {
  const shown = series.slice(0, MAX_SERIES)
  const labels = shown[0].labels || shown[0].days
  const numbers = shown.flatMap(({ data }) => data.map(Number))
  const top = roundUp(Math.max(1e-9, ...numbers)) || 1
  const low = Math.min(0, ...numbers)
  const bottom = low < 0 ? -roundUp(-low) : 0
  const x = (at) => LEFT + (labels.length < 2 ? 0.5 : at / (labels.length - 1)) * (WIDTH - LEFT - 16)
  const y = (value) => TOP + (1 - (value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM)
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const value = bottom + share * (top - bottom)
    return svg("g", {}, [
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH - 16, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, [asNumber(value)]),
    ])
  })
  const every = Math.ceil(labels.length / 6)
  const days = labels.flatMap((label, at) =>
    at % every === 0 ? [svg("text", { x: x(at), y: HEIGHT - 8, "text-anchor": "middle" }, [String(label)])] : [],
  )
  const lines = shown.map(({ label, data }, at) =>
    svg("g", { class: "series s" + at }, [
      svg("polyline", { points: data.map((value, place) => x(place) + "," + y(value)).join(" ") }),
      ...data.map((value, place) =>
        svg("circle", { cx: x(place), cy: y(value), r: 3 }, [svg("title", {}, [label + ", " + labels[place] + ": " + asNumber(value)])]),
      ),
    ]),
  )
  const legend = shown.map(({ label, count, aggregated_value }, at) => {
    const total = count ?? aggregated_value
    return element("li", { class: "s" + at }, [label + (total === undefined ? "" : ": " + asNumber(total))])
  })
  const more = series.length - shown.length
  if (more > 0) legend.push(element("li", {}, ["and " + more + " more"]))
  return element("figure", {}, [
    svg("svg", { viewBox: "0 0 " + WIDTH + " " + HEIGHT, role: "img", "aria-label": "Line chart" }, [...grid, ...days, ...lines]),
    element("ul", { class: "legend" }, legend),
  ])
}

/** Bars of the people that reach each step, one group for each breakdown. */
export function drawFunnel(funnels) {
  return element("figure", {}, funnels.flatMap((steps) => {
    const first = steps[0].count
    const title = steps[0].breakdown_value === undefined ? [] : [element("h3", {}, [[].concat(steps[0].breakdown_value).join(", ")])]
    return [...title, ...steps.map(({ name, custom_name, count }) => {
      const share = first === 0 ? 0 : (count / first) * 100
      const bar = element("div", { class: "step" }, [
        element("span", {}, [custom_name || name || "all events"]),
        element("span", {}, [asNumber(count) + " (" + asNumber(share) + " %)"]),
      ])
      bar.style.setProperty("--share", share + "%")
      return bar
    })]
  }))
}

/** A row for each beginning, a cell for each interval after it, darker where more people came back. */
export function drawRetention(cohorts) {
  const widest = Math.max(...cohorts.map(({ values }) => values.length))
  const heads = Array.from({ length: widest }, (_, at) => element("th", { scope: "col" }, [cohorts[0].values[at]?.label ?? String(at)]))
  const rows = cohorts.map(({ date, label, values }) => {
    const first = values[0] ? values[0].count : 0
    const cells = values.map(({ count }) => {
      const share = first === 0 ? 0 : count / first
      const cell = element("td", { class: "heat", title: asNumber(count) + " people" }, [asNumber(share * 100) + " %"])
      cell.style.setProperty("--heat", share * 75 + "%")
      return cell
    })
    return element("tr", {}, [element("th", { scope: "row" }, [date ? String(date).slice(0, 10) : label]), element("td", {}, [asNumber(first)]), ...cells])
  })
  return element("figure", {}, [
    element("table", {}, [
      element("thead", {}, [element("tr", {}, [element("th", {}, []), element("th", { scope: "col" }, ["People"]), ...heads])]),
      element("tbody", {}, rows),
    ]),
  ])
}
`
