import {
  type GraphiQLPlugin,
  useOperationsEditorState,
  usePluginStore,
  useSchemaStore,
  useVariablesEditorState,
} from "@graphiql/react"
import { EXAMPLES, type Example } from "./examples"
import { PICTURE_PLUGIN } from "./picture-plugin"

function Icon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M5 4h14v16H5zM9 9h6M9 13h6M9 17h3" />
    </svg>
  )
}

function Pane() {
  const [, setOperation] = useOperationsEditorState()
  const [, setVariables] = useVariablesEditorState()
  const { setVisiblePlugin } = usePluginStore()
  const { schema } = useSchemaStore()
  const roots = { query: schema?.getQueryType(), mutation: schema?.getMutationType() }
  const load = ({ operation, variables, isDrawn }: Example): void => {
    setOperation(operation)
    setVariables(variables === undefined ? "" : JSON.stringify(variables, null, 2))
    if (isDrawn) setVisiblePlugin(PICTURE_PLUGIN)
  }
  const offered = EXAMPLES.filter(({ field: [root, name] }) => roots[root]?.getFields()[name] !== undefined)
  return (
    <section aria-label="Examples">
      <h2>Examples</h2>
      <ul className="examples">
        {offered.map((example) => (
          <li key={example.title}>
            <button type="button" onClick={() => load(example)}>
              {example.title}
              <small>{example.note}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A pane of GraphiQL with operations to begin with. */
export const EXAMPLES_PLUGIN: GraphiQLPlugin = { title: "Examples", icon: Icon, content: Pane }
