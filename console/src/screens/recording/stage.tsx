import { useMemo, useRef, useState } from "react"
import { Failure } from "../../ui/failure"
import { PlayerControls } from "./player-controls"
import type { RecordedItem } from "./recorded-item"
import { toTimeline } from "./timeline"
import { TimelineList } from "./timeline-list"
import { usePlayer } from "./use-player"

/** Served by src/transport/console-routes.ts with the policy for strangers' pages. */
const FRAME_PATH = "/replay-frame"

interface StageProps {
  /** Those of one window. */
  readonly items: readonly RecordedItem[]
  readonly events: Parameters<typeof toTimeline>[1]
  /** Where it begins. */
  readonly startMs: number
  /** Told of a position at which somebody chose to be. */
  readonly onPlace: (positionMs: number) => void
}

/** The recorded page with its controls, and what happened beside it. */
export function Stage({ items, events, startMs, onPlace }: StageProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [options, setOptions] = useState({ speed: 1, skipInactive: true })
  const player = usePlayer(frame, items, startMs, options)
  const beginning = items[0]?.timestamp ?? 0
  const durationMs = (items.at(-1)?.timestamp ?? 0) - beginning
  const entries = useMemo(() => toTimeline(items, events, beginning), [items, events, beginning])
  return (
    <div className="stage">
      <div className="player">
        {player.failure !== null && <Failure of={player.failure} onRetry={() => location.reload()} />}
        <iframe ref={frame} src={FRAME_PATH} sandbox="allow-same-origin" title="The recorded page" tabIndex={-1} />
        <PlayerControls
          player={{
            ...player,
            toggle: () => {
              player.toggle()
              if (player.isPlaying) onPlace(player.positionMs)
            },
          }}
          durationMs={durationMs}
          options={options}
          onOptions={setOptions}
        />
      </div>
      <TimelineList
        entries={entries}
        positionMs={player.positionMs}
        onChosen={({ offsetMs }) => {
          player.seek(offsetMs)
          onPlace(offsetMs)
        }}
      />
    </div>
  )
}
