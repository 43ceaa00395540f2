/** Outlines on a ground of 24 by 24, by what they stand for. */
const PATHS = {
  board: "M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z",
  bolt: "M13 3 5 14h6l-1 7 8-11h-6z",
  check: "m5 13 4 4L19 7",
  chevron: "m8 10 4 4 4-4",
  code: "m8 8-4 4 4 4m8-8 4 4-4 4m-3-11-2 14",
  chart: "M4 4v16h16M8 14l4-5 3 3 5-6",
  cross: "m7 7 10 10M17 7 7 17",
  database: "M5 6c0-2 3-3 7-3s7 1 7 3-3 3-7 3-7-1-7-3zm0 0v12c0 2 3 3 7 3s7-1 7-3V6M5 12c0 2 3 3 7 3s7-1 7-3",
  flag: "M6 21V4h12l-3 4 3 4H6",
  group: "M4 21V7l7-4v18M11 9l9 3v9M4 21h17M7 9h.01M7 13h.01M7 17h.01m8-2h.01m-.01 3h.01",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  moon: "M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z",
  move: "M12 3v18M3 12h18m-12-6 3-3 3 3m-6 12 3 3 3-3M6 9l-3 3 3 3m12-6 3 3-3 3",
  pause: "M9 5v14M15 5v14",
  people: "M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6 8a6 6 0 0 1 12 0m1-8.5a3 3 0 0 0 0-6m2 14.5h3a5 5 0 0 0-4-5.5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7 9a7 7 0 0 1 14 0",
  play: "M7 4v16l13-8z",
  playlist: "M4 6h16M4 11h9M4 16h9m4-5v8l5-4z",
  plus: "M12 5v14M5 12h14",
  prompt: "m5 7 5 5-5 5m7 0h7",
  pulse: "M3 12h4l3 8 4-16 3 8h4",
  resize: "M20 8v12H8M20 20 10 10",
  rocket: "M5 19c0-3 1-4 3-5m1-2c2-6 6-8 11-8 0 5-2 9-8 11zm3 3 2-2m2-5h.01",
  sliders: "M4 7h9m4 0h3M4 17h3m4 0h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm-6 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  star: "m12 4 2.4 5.2 5.6.7-4.1 3.9 1.1 5.7-5-2.9-5 2.9 1.1-5.7L4 9.9l5.6-.7z",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm9 2-4-4",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4",
} as const

/** What an icon stands for. */
export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  /** Pixels of an edge. */
  readonly size?: number
}

/** A small picture beside a text that says the same, so readers of the screen do not hear of it. */
export function Icon({ name, size = 18 }: IconProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" className="icon" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
