import { useMemo } from "react"
import { encode } from "uqr"

/** Modules of quiet ground around it; ISO 18004 asks for four, cameras are content with two. */
const BORDER = 2

interface QrCodeProps {
  readonly text: string
  /** What it is, for those who do not see it. */
  readonly label: string
}

/** A text as a picture for cameras, dark on light in both themes: not all of them read it the other way round. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const { size: modules, data } = encode(text, { ecc: "M", border: BORDER })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size: modules, path: dark.join("") }
  }, [text])
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={200} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
