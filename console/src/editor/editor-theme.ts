import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { EditorView } from "@codemirror/view"
import { tags } from "@lezer/highlight"

/** Colours of the kinds of words; the style sheet of the editor has them for both themes. */
const COLORS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--mantine-color-dimmed)", fontStyle: "italic" },
])

const LOOK = EditorView.theme({
  "&": { fontSize: "13px", color: "var(--mantine-color-text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--mantine-color-text)" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "20px" },
  ".cm-gutters": { border: "none", color: "var(--mantine-color-dimmed)", backgroundColor: "transparent" },
  ".cm-placeholder": { color: "var(--mantine-color-placeholder)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-matchingBracket": { backgroundColor: "var(--mantine-color-default-hover)" },
  ".cm-tooltip": {
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "var(--mantine-radius-sm)",
    color: "var(--mantine-color-text)",
    backgroundColor: "var(--mantine-color-body)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: "var(--mantine-color-white)",
    backgroundColor: "var(--mantine-primary-color-filled)",
  },
  ".cm-completionDetail": { color: "var(--mantine-color-dimmed)", fontStyle: "normal" },
  "[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { maxHeight: "16em", fontFamily: "inherit" },
})

/** How the editor looks, in both themes: its colours are variables. */
export const EDITOR_THEME = [LOOK, syntaxHighlighting(COLORS)]
