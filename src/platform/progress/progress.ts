/** Where whoever waits for a command sees how far it is. */
export interface Progress {
  show(text: string): void
  /** Nothing more comes; what was shown last goes. */
  end(): void
}

const WIDTH = 78
const CLEAR_LINE = "\r\u001b[K"

/** One line of a terminal that is written over; anything but a terminal is told nothing. */
export function showProgress(output: NodeJS.WriteStream): Progress {
  if (!output.isTTY) return { show: () => undefined, end: () => undefined }
  return {
    show: (text) => void output.write(`${CLEAR_LINE}${text.slice(0, WIDTH)}`),
    end: () => void output.write(CLEAR_LINE),
  }
}
