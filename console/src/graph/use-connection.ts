import { useEffect, useState } from "react"
import { useGraph } from "./graph"

/** Whether the socket is open; it connects again by itself. */
export function useConnection(): boolean {
  const { socket } = useGraph()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const stops = [socket.on("connected", () => setOpen(true)), socket.on("closed", () => setOpen(false))]
    return () => {
      for (const stop of stops) stop()
    }
  }, [socket])
  return isOpen
}
