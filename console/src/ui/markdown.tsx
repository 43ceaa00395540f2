import { Markdown as Compiled, type MarkdownToJSX } from "markdown-to-jsx/react"
import type { ComponentType, ReactNode } from "react"

/** Addresses that a text may lead to; it has no other ones, and of relative ones none either. */
const ADDRESS = /^(https?:\/\/|mailto:)/i

interface Parts {
  readonly children?: ReactNode
  readonly href?: string
  readonly alt?: string
  readonly checked?: boolean
}

const Link = ({ href, children }: Parts) =>
  href === undefined ? (
    children
  ) : (
    <a href={href} className="link" target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )

/** A heading below that of the page, without the name that all texts of a page would share. */
const toHeading = (Level: "h2" | "h3" | "h4"): ComponentType<Parts> =>
  function Heading({ children }) {
    return <Level>{children}</Level>
  }

const OPTIONS: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  sanitizer: (address) => (ADDRESS.test(address) ? address : null),
  overrides: {
    a: Link,
    // Pictures from elsewhere are not let in by the page's policy of contents.
    img: ({ alt }: Parts) => alt,
    input: ({ checked }: Parts) => (checked ? "☑ " : "☐ "),
    h1: toHeading("h2"),
    h2: toHeading("h3"),
    h3: toHeading("h4"),
    h4: toHeading("h4"),
    h5: toHeading("h4"),
    h6: toHeading("h4"),
  },
}

/** A text with the marks of Markdown, as elements: markup in it stays text. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <div className="markdown">
    <Compiled options={OPTIONS}>{text}</Compiled>
  </div>
)
