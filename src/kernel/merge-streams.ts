import { type Stream, streamUntilLeft } from "./stream-until-left.js"

interface Ready<Item> {
  readonly stream: Stream<Item>
  readonly next: Promise<IteratorResult<Item, undefined>>
}

/**
 * The items of several streams as they come; it ends when all have, and fails when one does. A stream is read further only
 * when its item has been taken, so a slow reader keeps one of each waiting. Whoever leaves it leaves all of them.
 */
export function mergeStreams<Item>(streams: readonly Stream<Item>[]): Stream<Item> {
  const ready: Ready<Item>[] = []
  let wake = (): void => undefined
  const pull = (stream: Stream<Item>): void => {
    const next = stream.next()
    const tell = (): void => {
      ready.push({ stream, next })
      wake()
    }
    next.then(tell, tell)
  }
  async function* read(): AsyncGenerator<Item> {
    streams.forEach(pull)
    let open = streams.length
    while (open > 0) {
      const first = ready.shift()
      if (first === undefined) {
        await new Promise<void>((resolve) => (wake = resolve))
        continue
      }
      const next = await first.next
      if (next.done === true) open--
      else {
        yield next.value
        pull(first.stream)
      }
    }
  }
  return streamUntilLeft(read(), () => Promise.all(streams.map((stream) => stream.return())))
}
