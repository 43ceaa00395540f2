import "./editor.css"
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { bracketMatching } from "@codemirror/language"
import { type Diagnostic, linter, lintKeymap, setDiagnostics } from "@codemirror/lint"
import { EditorState, Prec } from "@codemirror/state"
import { EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view"
import { type RefObject, useEffect, useImperativeHandle, useRef } from "react"
import { completeHogql } from "./complete"
import { HOGQL } from "./dialect"
import { EDITOR_THEME } from "./editor-theme"
import type { KnownNames } from "./known-names"

/** What is checked after this pause, so that typing asks nothing. */
const CHECK_DELAY_MS = 500

/** A part of the text that is run. */
export interface TextPart {
  readonly text: string
  /** Where it begins in the whole text. */
  readonly from: number
}

/** What is wrong with a stretch of the text, in UTF-16 units from its begin. */
export interface TextFault {
  readonly message: string
  readonly start: number
  readonly end: number
}

/** What can be done with an editor from outside of it. */
export interface EditorHandle {
  /** The selection, or all of the text when nothing is selected. */
  readPart(): TextPart
  /** Writes in the place of the selection, and goes on there. */
  insert(text: string): void
}

export interface HogqlEditorProps {
  /** Is given the editor once it is there. */
  readonly handle: RefObject<EditorHandle | null>
  readonly text: string
  readonly onChange: (text: string) => void
  /** What Ctrl-Enter does. */
  readonly onRun: () => void
  readonly names: KnownNames
  /** Finds what is wrong with a text. */
  readonly check: (text: string) => Promise<readonly TextFault[]>
  /** What the last run found wrong; it stays underlined until the text is changed. */
  readonly fault: TextFault | null
}

/** Faults as the editor shows them: within the text, and at least one character long. */
const toDiagnostics = (faults: readonly TextFault[], length: number): Diagnostic[] =>
  faults.map(({ message, start, end }) => {
    const from = Math.max(0, Math.min(start, length - 1))
    return { from, to: Math.max(from, Math.min(Math.max(end, start + 1), length)), severity: "error", message }
  })

function readPart({ state }: EditorView): TextPart {
  const { from, to, empty } = state.selection.main
  return empty ? { text: state.doc.toString(), from: 0 } : { text: state.sliceDoc(from, to), from }
}

/**
 * Edits a text of HogQL: completes names, underlines what is wrong, and runs on Ctrl-Enter. Tab leads out of it, as out
 * of any field.
 */
export function HogqlEditor(props: HogqlEditorProps) {
  const { handle, text, fault } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  // The editor outlives what is passed to it, and always takes the latest.
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    if (place.current === null) return
    const check = async ({ state }: EditorView): Promise<Diagnostic[]> => {
      const checked = state.doc.toString()
      const found = checked.trim() === "" ? [] : await latest.current.check(checked)
      const { fault: known, text: present } = latest.current
      return toDiagnostics(
        found.length === 0 && known !== null && present === checked ? [known] : found,
        checked.length,
      )
    }
    const run = (): boolean => {
      latest.current.onRun()
      return true
    }
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          HOGQL.language,
          autocompletion({ override: [completeHogql(() => latest.current.names)], icons: false }),
          linter(check, { delay: CHECK_DELAY_MS }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
          placeholder("SELECT event, count() FROM events GROUP BY event"),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "HogQL" }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString())
          }),
          EDITOR_THEME,
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useImperativeHandle(handle, () => ({
    readPart: () => (view.current === null ? { text: latest.current.text, from: 0 } : readPart(view.current)),
    insert: (written) => {
      view.current?.dispatch(view.current.state.replaceSelection(written))
      view.current?.focus()
    },
  }))

  // A text from elsewhere, such as the history, takes the place of what is written.
  useEffect(() => {
    const { current } = view
    if (current === null || current.state.doc.toString() === text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])

  useEffect(() => {
    const { current } = view
    if (current === null || fault === null) return
    current.dispatch(setDiagnostics(current.state, toDiagnostics([fault], current.state.doc.length)))
  }, [fault])

  return <div ref={place} className="hogql-editor" />
}
