import { connect, type Socket } from "node:net"

export interface RequestConnectionOptions {
  readonly hostname: string
  readonly port: number
  /** The bytes of the next request; null ends the connection. */
  readonly nextRequest: () => Buffer | null
  readonly onAnswer: (status: number, durationMs: number) => void
  /** The connection was lost or refused, an answer was late or of unknown length; the connection is made anew. */
  readonly onFault: () => void
}

const HEAD_END = "\r\n\r\n"
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i
/** Place of the status in `HTTP/1.1 200`. */
const STATUS_AT = 9
const CONNECT_AGAIN_AFTER_MS = 100

/** One connection that is kept alive: sends a request, waits for its answer, sends the next. Answers need a Content-Length. */
export class RequestConnection {
  isDone = false
  private socket: Socket
  private sentAt = performance.now()
  private received = ""

  constructor(private readonly options: RequestConnectionOptions) {
    this.socket = this.open()
  }

  /** Takes an answer that has not come within this time for a fault. */
  giveUpAfter(waitMs: number): void {
    if (!this.isDone && performance.now() - this.sentAt > waitMs) this.socket.destroy(new Error("no answer"))
  }

  end(): void {
    this.isDone = true
    this.socket.destroy()
  }

  private open(): Socket {
    const { hostname, port, onFault } = this.options
    this.sentAt = performance.now()
    const socket = connect({ host: hostname, port, noDelay: true })
    socket.on("connect", () => this.send())
    socket.on("data", (chunk) => this.receive(chunk))
    socket.on("error", () => undefined)
    socket.on("close", () => {
      if (this.isDone) return
      onFault()
      this.received = ""
      setTimeout(() => {
        if (!this.isDone) this.socket = this.open()
      }, CONNECT_AGAIN_AFTER_MS)
    })
    return socket
  }

  private send(): void {
    const request = this.options.nextRequest()
    if (request === null) return void this.end()
    this.sentAt = performance.now()
    this.socket.write(request)
  }

  private receive(chunk: Buffer): void {
    this.received += chunk.toString("latin1")
    const headEnd = this.received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const length = CONTENT_LENGTH.exec(this.received)?.[1]
    if (length === undefined) return void this.socket.destroy(new Error("the answer has no Content-Length"))
    if (this.received.length < headEnd + HEAD_END.length + Number(length)) return
    const status = Number(this.received.slice(STATUS_AT, STATUS_AT + 3))
    this.received = ""
    this.options.onAnswer(status, performance.now() - this.sentAt)
    this.send()
  }
}
