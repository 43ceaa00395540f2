/** A text area with colours beneath it, and completion from the schema. Tab keeps its meaning: it moves on. */
export const EDITOR_SCRIPT = String.raw`
import { suggestionsAt } from "./completion.js"
import { paint } from "./highlight.js"

/** Fills host with an editor and gives its text and focus; Ctrl+Enter calls onRun. */
export function createEditor(host, { language, onRun, schema }) {
  const colours = document.createElement("pre")
  colours.setAttribute("aria-hidden", "true")
  const area = document.createElement("textarea")
  area.setAttribute("aria-label", host.dataset.label)
  area.spellcheck = false
  area.autocapitalize = "off"
  area.wrap = "off"
  const list = document.createElement("ul")
  list.className = "suggestions"
  list.id = host.id + "-suggestions"
  list.setAttribute("role", "listbox")
  list.hidden = true
  host.append(colours, area, list)
  let offered = []
  let chosen = 0

  const redraw = () => {
    paint(colours, area.value, language)
    colours.scrollTop = area.scrollTop
    colours.scrollLeft = area.scrollLeft
  }
  const close = () => {
    list.hidden = true
    area.removeAttribute("aria-activedescendant")
  }
  const mark = () => {
    for (const [index, item] of [...list.children].entries()) item.setAttribute("aria-selected", String(index === chosen))
    const item = list.children[chosen]
    if (!item) return
    item.scrollIntoView({ block: "nearest" })
    area.setAttribute("aria-activedescendant", item.id)
  }
  const insert = (suggestion) => {
    const caret = area.selectionStart
    area.setRangeText(suggestion.text, caret - suggestion.prefix.length, caret, "end")
    close()
    redraw()
    area.focus()
  }
  const place = () => {
    const before = area.value.slice(0, area.selectionStart).split("\n")
    const style = getComputedStyle(area)
    const ruler = document.createElement("canvas").getContext("2d")
    ruler.font = style.fontSize + " " + style.fontFamily
    const left = ruler.measureText(before[before.length - 1]).width + parseFloat(style.paddingLeft) - area.scrollLeft
    const top = before.length * parseFloat(style.lineHeight) + parseFloat(style.paddingTop) - area.scrollTop
    list.style.left = Math.max(0, Math.min(left, host.clientWidth - 240)) + "px"
    list.style.top = Math.min(top, host.clientHeight - 40) + "px"
  }
  const offer = () => {
    const known = schema()
    offered = known ? suggestionsAt(known, area.value.slice(0, area.selectionStart)).slice(0, 100) : []
    if (offered.length === 0) return close()
    chosen = 0
    list.replaceChildren(
      ...offered.map((suggestion, index) => {
        const item = document.createElement("li")
        item.id = list.id + "-" + index
        item.setAttribute("role", "option")
        const name = document.createElement("code")
        name.textContent = suggestion.label
        const note = document.createElement("small")
        note.textContent = suggestion.note
        item.append(name, note)
        item.addEventListener("pointerdown", (event) => {
          event.preventDefault()
          insert(suggestion)
        })
        return item
      }),
    )
    list.hidden = false
    place()
    mark()
  }
  const newLine = () => {
    const line = area.value.slice(0, area.selectionStart).split("\n").pop()
    const indent = /^\s*/.exec(line)[0] + (/[{([]\s*$/.test(line) ? "  " : "")
    const closes = /^\s*[})\]]/.test(area.value.slice(area.selectionStart)) && /[{([]\s*$/.test(line)
    const tail = closes ? "\n" + /^\s*/.exec(line)[0] : ""
    area.setRangeText("\n" + indent + tail, area.selectionStart, area.selectionEnd, "end")
    area.selectionStart = area.selectionEnd = area.selectionEnd - tail.length
    redraw()
  }

  area.addEventListener("scroll", redraw)
  area.addEventListener("blur", close)
  area.addEventListener("input", (event) => {
    redraw()
    if (event.inputType === "insertText" && /\w/.test(event.data || "")) offer()
    else close()
  })
  area.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey
    if (control && event.key === "Enter") {
      event.preventDefault()
      close()
      onRun()
    } else if (control && event.key === " ") {
      event.preventDefault()
      offer()
    } else if (!list.hidden && event.key === "Escape") close()
    else if (!list.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault()
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length
      mark()
    } else if (!list.hidden && event.key === "Enter") {
      event.preventDefault()
      insert(offered[chosen])
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault()
      newLine()
    }
  })
  redraw()
  return {
    text: () => area.value,
    caret: () => area.selectionStart,
    focus: () => area.focus(),
    complete: () => {
      area.focus()
      offer()
    },
    setText: (text) => {
      area.value = text
      area.selectionStart = area.selectionEnd = 0
      redraw()
    },
  }
}
`
