import type { Replayer } from "@rrweb/replay"
import type { RecordedItem } from "./recorded-item"

/** How a recording is played. */
export interface PlayOptions {
  readonly speed: number
  /** Whether stretches in which nobody did anything are run through. */
  readonly skipInactive: boolean
}

/** A recorded page in a frame. */
export interface Replay {
  readonly replayer: Replayer
  /** Plays on with these items, too. */
  add(items: readonly RecordedItem[]): void
  end(): void
}

/** What the page of the frame needs, besides what rrweb itself says of its parts. */
const STYLE = "body{margin:0;overflow:hidden}.replayer-wrapper{transform-origin:0 0}iframe{border:0;background:#fff}"

type ReplayItems = ConstructorParameters<typeof Replayer>[0]

/**
 * Shows a recorded page in a frame whose page the server sends with a policy that lets nothing out and no script run
 * (src/transport/console-routes.ts): the frame that rrweb makes inside of it for the recorded page inherits that policy.
 *
 * @param items at least two
 */
export async function startReplay(
  frame: HTMLIFrameElement,
  items: readonly RecordedItem[],
  options: PlayOptions,
): Promise<Replay> {
  const [{ Replayer }, { default: style }] = await Promise.all([
    import("@rrweb/replay"),
    import("@rrweb/replay/dist/style.css?inline"),
  ])
  const page = frame.contentDocument
  if (page === null) throw new Error("the frame of the replay has no page")
  page.head.append(Object.assign(page.createElement("style"), { textContent: style + STYLE }))
  // Items are as the recorder wrote them; rrweb skips what it cannot play.
  const replayer = new Replayer([...items] as unknown as ReplayItems, {
    ...options,
    root: page.body,
    mouseTail: false,
    triggerFocus: false,
    showWarning: false,
  })
  let shown = { width: 0, height: 0 }
  const scaleToFrame = () => {
    const scale = Math.min(frame.clientWidth / shown.width, frame.clientHeight / shown.height)
    if (!Number.isFinite(scale)) return
    const left = (frame.clientWidth - shown.width * scale) / 2
    replayer.wrapper.style.transform = `translateX(${left}px) scale(${scale})`
  }
  replayer.on("resize", (size) => {
    shown = size as typeof shown
    scaleToFrame()
  })
  const observer = new ResizeObserver(scaleToFrame)
  observer.observe(frame)
  return {
    replayer,
    add: (more) => {
      for (const item of more as unknown as ReplayItems) if (typeof item !== "string") replayer.addEvent(item)
    },
    end: () => {
      observer.disconnect()
      replayer.destroy()
    },
  }
}
