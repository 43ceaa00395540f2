import { type RefObject, useEffect, useRef, useState } from "react"
import type { RecordedItem } from "./recorded-item"
import { type PlayOptions, type Replay, startReplay } from "./replay"

/** A player and what people can do with it. */
export interface Player {
  readonly isReady: boolean
  readonly isPlaying: boolean
  readonly positionMs: number
  readonly failure: Error | null
  toggle(): void
  seek(positionMs: number): void
}

/**
 * Plays items in a frame from a position on. Items that come later are added to those that are played.
 *
 * @param items of one window, of which the first ones stay
 */
export function usePlayer(
  frame: RefObject<HTMLIFrameElement | null>,
  items: readonly RecordedItem[],
  startMs: number,
  options: PlayOptions,
): Player {
  const replay = useRef<Replay | null>(null)
  const known = useRef(0)
  const [isReady, setReady] = useState(false)
  const [isPlaying, setPlaying] = useState(false)
  const [positionMs, setPosition] = useState(startMs)
  const [failure, setFailure] = useState<Error | null>(null)
  const [isLoaded, setLoaded] = useState(false)
  const canStart = items.length > 1
  const { speed, skipInactive } = options

  useEffect(() => {
    const { current: element } = frame
    const onLoad = () => setLoaded(true)
    element?.addEventListener("load", onLoad)
    if (element?.contentDocument?.URL.endsWith(new URL(element.src).pathname)) onLoad()
    return () => element?.removeEventListener("load", onLoad)
  }, [frame])

  // biome-ignore lint/correctness/useExhaustiveDependencies: begins once; what changes later is told to the replayer
  useEffect(() => {
    if (!isLoaded || !canStart || frame.current === null) return
    let isWanted = true
    known.current = items.length
    startReplay(frame.current, items, options)
      .then((started) => {
        if (!isWanted) return started.end()
        replay.current = started
        started.replayer.on("finish", () => setPlaying(false))
        started.replayer.pause(startMs)
        setReady(true)
      })
      .catch((fault: Error) => setFailure(fault))
    return () => {
      isWanted = false
      replay.current?.end()
      replay.current = null
    }
  }, [isLoaded, canStart])

  useEffect(() => {
    if (!isReady) return
    replay.current?.add(items.slice(known.current))
    known.current = items.length
  }, [isReady, items])

  useEffect(() => replay.current?.replayer.setConfig({ speed, skipInactive }), [speed, skipInactive])

  useEffect(() => {
    if (!isPlaying) return
    let request = 0
    const follow = () => {
      setPosition(replay.current?.replayer.getCurrentTime() ?? 0)
      request = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(request)
  }, [isPlaying])

  const toggle = () => {
    const player = replay.current?.replayer
    if (isPlaying) player?.pause()
    else player?.play(positionMs)
    setPlaying(!isPlaying)
  }
  const seek = (target: number) => {
    const player = replay.current?.replayer
    if (isPlaying) player?.play(target)
    else player?.pause(target)
    setPosition(target)
  }
  return { isReady, isPlaying, positionMs, failure, toggle, seek }
}
