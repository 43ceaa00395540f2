import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Input,
  InputWrapper,
  type MantineColorsTuple,
  Menu,
  Modal,
  Table,
} from "@mantine/core"

const GREEN: MantineColorsTuple = [
  "#e8f6f0",
  "#d2ece1",
  "#a5dac4",
  "#76c7a6",
  "#4fc79b",
  "#2fa67c",
  "#1a9169",
  "#108560",
  "#0b7a5a",
  "#075f46",
]

/** Greys of the dark theme, from the text to the ground. */
const DARK: MantineColorsTuple = [
  "#d5dbe3",
  "#b4bdc9",
  "#98a2b0",
  "#6f7a89",
  "#465060",
  "#343d4b",
  "#29313d",
  "#1b212b",
  "#151a22",
  "#0e1218",
]

/** What opens over a page is no page: its heading is no banner of its own. */
const DIALOG = { attributes: { header: { role: "presentation" } }, closeButtonProps: { "aria-label": "Close" } }

export const THEME = createTheme({
  primaryColor: "green",
  primaryShade: 8,
  defaultRadius: "sm",
  colors: { green: GREEN, dark: DARK },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, Menlo, Consolas, monospace",
  headings: { fontWeight: "600" },
  cursorType: "pointer",
  components: {
    Button: Button.extend({ defaultProps: { size: "xs" } }),
    Drawer: Drawer.extend({ defaultProps: DIALOG }),
    Input: Input.extend({ defaultProps: { size: "xs" } }),
    InputWrapper: InputWrapper.extend({ defaultProps: { size: "xs" } }),
    Menu: Menu.extend({ defaultProps: { shadow: "md" } }),
    Modal: Modal.extend({ defaultProps: DIALOG }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 5, highlightOnHover: true } }),
  },
})

/** Colours that depend on the theme. Quiet texts are dark enough to be read (WCAG AA) on every ground that they stand on. */
export const resolveColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#566170",
    "--mantine-color-placeholder": "#68727f",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-yellow-light-color": "#704000",
    "--ground-quiet": "#f7f8fa",
  },
  dark: {
    "--mantine-color-dimmed": "#a0abb9",
    "--mantine-color-placeholder": "#8f9aa8",
    "--mantine-color-error": "#ffa8a8",
    "--ground-quiet": "#151a22",
  },
})
