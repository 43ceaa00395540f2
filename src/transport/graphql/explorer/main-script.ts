/** Wires the page: key, editors, running, examples and theme. */
export const MAIN_SCRIPT = String.raw`
import { runOperation, subscribe } from "./client.js"
import { showDocs } from "./docs.js"
import { createEditor } from "./editor.js"
import { examplesFor } from "./examples.js"
import { paint } from "./highlight.js"
import { pictureOf } from "./picture.js"
import { readSchema } from "./schema.js"

const $ = (id) => document.getElementById(id)
const KEY = "waymark.key", DRAFT = "waymark.operation", VARIABLES = "waymark.variables", THEME = "waymark.theme"
const VIEW = "waymark.view"
let schema = null
let stop = null

const key = () => $("key").value.trim()
const operation = createEditor($("operation"), { language: "graphql", onRun: run, schema: () => schema })
const variables = createEditor($("variables"), { language: "json", onRun: run, schema: () => null })

function setOutcome(text, bad) {
  $("outcome").textContent = text
  $("outcome").dataset.state = bad ? "bad" : "good"
}

/** Shows a value as text and, where the answer in it can be drawn, as a picture. */
function show(value, answer) {
  paint($("output"), JSON.stringify(value, null, 2), "json")
  const picture = pictureOf(answer)
  $("picture").replaceChildren(...(picture ? [picture] : []))
  $("views").hidden = !picture
  chooseView()
}

function chooseView(chosen) {
  if (chosen) localStorage.setItem(VIEW, chosen)
  const drawn = !$("views").hidden && localStorage.getItem(VIEW) !== "json"
  $("picture").hidden = !drawn
  $("output").hidden = drawn
  $("view-picture").setAttribute("aria-pressed", String(drawn))
  $("view-json").setAttribute("aria-pressed", String(!drawn))
}

function showCost(body) {
  const cost = body && body.extensions && body.extensions.cost
  $("cost").hidden = !cost
  if (!cost) return
  $("cost-text").textContent = "cost " + cost.requested + " of " + cost.limit
  $("cost-bar").style.width = Math.min(100, (cost.requested / cost.limit) * 100) + "%"
}

/** The operation the caret stands in, when the document has several. */
function operationAtCaret(text, caret) {
  const starts = [...text.matchAll(/(?:^|\n)\s*(query|mutation|subscription)\b[ \t]*(\w+)?/g)]
  const at = starts.filter((match) => match.index <= caret).pop() || starts[0]
  return { kind: at ? at[1] : "query", name: starts.length > 1 && at ? at[2] : undefined }
}

async function run() {
  if (stop) return stop()
  const text = operation.text()
  const { kind, name } = operationAtCaret(text, operation.caret())
  let values = {}
  try {
    values = JSON.parse(variables.text().trim() || "{}")
  } catch (fault) {
    return setOutcome("Variables are not JSON: " + fault.message, true)
  }
  sessionStorage.setItem(DRAFT, text)
  sessionStorage.setItem(VARIABLES, variables.text())
  const request = { query: text, variables: values, operationName: name }
  bringResultIntoView()
  if (kind === "subscription") return follow(request)
  setOutcome("Running…", false)
  const started = performance.now()
  try {
    const { status, body } = await runOperation(request, key())
    const faults = body.errors ? body.errors.length : 0
    setOutcome(faults ? faults + (faults > 1 ? " errors" : " error") + " (" + status + ")" : "Done (" + status + ")", faults > 0)
    show(body, body)
    showCost(body)
  } catch (fault) {
    setOutcome("No answer: " + fault.message, true)
  }
  $("timing").textContent = Math.round(performance.now() - started) + " ms"
}

const countUnits = (events) => events.length + (events.length === 1 ? " event" : " events")

/** On a narrow screen the answer lies far below the button that asked for it. */
function bringResultIntoView() {
  if (matchMedia("(max-width: 64rem)").matches) document.querySelector(".result").scrollIntoView()
}

function follow(request) {
  const events = []
  const update = () => show(events.slice(-50), events.at(-1))
  const ended = (text, bad) => {
    stop = null
    setRunning(false)
    setOutcome(text, bad)
  }
  showCost(null)
  setOutcome("Listening…", false)
  $("timing").textContent = ""
  setRunning(true)
  update()
  const close = subscribe(request, key(), {
    next: (payload) => {
      events.push({ at: new Date().toISOString(), ...payload })
      setOutcome(countUnits(events) + ", listening…", Boolean(payload.errors))
      update()
    },
    error: (errors) => {
      events.push({ at: new Date().toISOString(), errors })
      update()
      ended("Ended with an error", true)
    },
    complete: () => ended("Ended after " + countUnits(events), false),
    closed: (code, reason) => ended("The connection closed: " + code + " " + reason, true),
  })
  stop = () => {
    close()
    ended("Stopped after " + countUnits(events), false)
  }
}

function setRunning(running) {
  $("run").toggleAttribute("data-running", running)
  $("run").firstChild.textContent = running ? "Stop " : "Run "
}

function load(text, values) {
  operation.setText(text)
  variables.setText(JSON.stringify(values || {}, null, 2))
  operation.focus()
}

async function checkKey() {
  const caller = $("caller")
  caller.dataset.state = ""
  if (!key()) {
    caller.textContent = "No key: only the schema can be read."
    return
  }
  caller.textContent = "Checking the key…"
  if (!schema || !schema.hasRootField("query", "me")) {
    caller.textContent = "The key goes with every request."
    return
  }
  const { body } = await runOperation({ query: "{ me { email currentProjectId } }" }, key()).catch(() => ({ body: {} }))
  const me = body.data && body.data.me
  caller.dataset.state = me ? "good" : "bad"
  caller.textContent = me
    ? "Signed in as " + me.email + (me.currentProjectId ? ", @current is project " + me.currentProjectId : "")
    : (body.errors && body.errors[0].message) || "The key could not be checked."
}

function chooseTab(chosen) {
  for (const name of ["docs", "examples"]) {
    const selected = name === chosen
    $("tab-" + name).setAttribute("aria-selected", String(selected))
    $("tab-" + name).tabIndex = selected ? 0 : -1
    $("panel-" + name).hidden = !selected
  }
  $("tab-" + chosen).focus()
}

function wireTheme() {
  const root = document.documentElement
  const saved = localStorage.getItem(THEME)
  if (saved) root.dataset.theme = saved
  $("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
    root.dataset.theme = dark ? "light" : "dark"
    localStorage.setItem(THEME, root.dataset.theme)
  })
}

function wireKey() {
  $("key").value = sessionStorage.getItem(KEY) || ""
  $("key").addEventListener("change", () => {
    sessionStorage.setItem(KEY, key())
    checkKey()
  })
  $("key-form").addEventListener("submit", (event) => {
    event.preventDefault()
    $("key").blur()
  })
  $("show-key").addEventListener("click", () => {
    const hidden = $("key").type === "password"
    $("key").type = hidden ? "text" : "password"
    $("show-key").textContent = hidden ? "Hide" : "Show"
    $("show-key").setAttribute("aria-pressed", String(hidden))
  })
}

function wireTabs() {
  for (const name of ["docs", "examples"]) {
    $("tab-" + name).addEventListener("click", () => chooseTab(name))
    $("tab-" + name).addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") chooseTab(name === "docs" ? "examples" : "docs")
    })
  }
}

function showExamples(examples) {
  for (const example of examples) {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = example.title
    const note = document.createElement("small")
    note.textContent = example.note
    button.append(note)
    button.addEventListener("click", () => load(example.query, example.variables))
    const item = document.createElement("li")
    item.append(button)
    $("examples").append(item)
  }
}

async function start() {
  wireTheme()
  wireKey()
  wireTabs()
  $("run").addEventListener("click", run)
  for (const view of ["picture", "json"]) $("view-" + view).addEventListener("click", () => chooseView(view))
  $("complete").addEventListener("click", () => operation.complete())
  $("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText($("output").textContent)
    $("copy").textContent = "Copied"
    setTimeout(() => { $("copy").textContent = "Copy" }, 1500)
  })
  const given = new URLSearchParams(location.search).get("query")
  try {
    schema = await readSchema()
  } catch (fault) {
    $("docs").textContent = "The schema could not be read: " + fault.message
    return
  }
  showDocs($("docs"), $("search"), schema, load)
  const examples = examplesFor(schema)
  showExamples(examples)
  const draft = given || sessionStorage.getItem(DRAFT)
  if (draft) {
    operation.setText(draft)
    variables.setText(sessionStorage.getItem(VARIABLES) || "{}")
  } else if (examples[0]) load(examples[0].query, examples[0].variables)
  paint($("output"), "// Run the operation, and the answer appears here.", "json")
  await checkKey()
  document.body.dataset.ready = "yes"
}

start()
`
