import { ScrollArea } from "@mantine/core"
import { Choice } from "../pictures/choice"
import { writeNumber } from "../pictures/numbers"
import { PathDiagram } from "../pictures/path-diagram"
import type { Chosen } from "./chosen"
import type { ResultOf } from "./result"

interface PathsPictureProps {
  readonly result: ResultOf<"PathsResult">
  readonly width: number
  readonly isSmall: boolean | undefined
  readonly onChosen: ((chosen: Chosen) => void) | undefined
}

/** A page by its path, which tells more of it than its site; events stay as they are. */
const shorten = (item: string): string => (URL.canParse(item) ? new URL(item).pathname : item)

/** Paths as a diagram, and as a table of their links below it. */
export function PathsPicture({ result: { links }, width, isSmall, onChosen }: PathsPictureProps) {
  const points = new Map(links.flatMap(({ source, target }) => [source, target]).map((point) => [point.key, point]))
  const choose = (from: string, to: string): void =>
    onChosen?.({ of: "paths", from, to, title: `${points.get(from)?.item} → ${points.get(to)?.item}` })
  if (links.length === 0) return <p>Nobody went from one page to another in this time.</p>
  return (
    <>
      <PathDiagram
        points={[...points.values()].map(({ key, item }) => ({ key, name: shorten(item) }))}
        links={links.map(({ source, target, count }) => ({ source: source.key, target: target.key, count }))}
        width={width}
        onLink={({ source, target }) => choose(source, target)}
      />
      {!isSmall && (
        <ScrollArea viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Links" }}>
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col" className="number">
                  People
                </th>
              </tr>
            </thead>
            <tbody>
              {links.map(({ source, target, count }) => (
                <tr key={`${source.key} ${target.key}`}>
                  <td>{source.item}</td>
                  <td>{target.item}</td>
                  <td className="number">
                    <Choice text={writeNumber(count)} onClick={onChosen && (() => choose(source.key, target.key))} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </>
  )
}
