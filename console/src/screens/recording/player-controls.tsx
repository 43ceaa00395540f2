import { ActionIcon, Button, Group, SegmentedControl, Switch, Text } from "@mantine/core"
import { useClipboard } from "@mantine/hooks"
import { toClock } from "../../ui/clock"
import { Icon } from "../../ui/icon"
import type { PlayOptions } from "./replay"
import type { Player } from "./use-player"

const SPEEDS = ["1", "2", "4", "8"]

interface PlayerControlsProps {
  readonly player: Player
  readonly durationMs: number
  readonly options: PlayOptions
  readonly onOptions: (options: PlayOptions) => void
}

/** Play and pause, the position and a link to it, the speed and whether idle stretches are skipped. */
export function PlayerControls({ player, durationMs, options, onOptions }: PlayerControlsProps) {
  const { isReady, isPlaying, positionMs, toggle, seek } = player
  const clipboard = useClipboard()
  const copyLink = (): void => {
    const link = new URL(location.href)
    link.searchParams.set("t", String(Math.floor(positionMs / 1000)))
    clipboard.copy(link.href)
  }
  const clock = `${toClock(positionMs)} of ${toClock(durationMs)}`
  return (
    <Group gap="sm" p="xs" className="player-controls">
      <ActionIcon
        variant="default"
        size="lg"
        disabled={!isReady}
        aria-label={isPlaying ? "Pause" : "Play"}
        onClick={toggle}
      >
        <Icon name={isPlaying ? "pause" : "play"} size={16} />
      </ActionIcon>
      <input
        type="range"
        className="position"
        aria-label="Position"
        aria-valuetext={clock}
        min={0}
        max={durationMs}
        step={1000}
        value={positionMs}
        disabled={!isReady}
        onChange={({ currentTarget: { valueAsNumber } }) => seek(valueAsNumber)}
      />
      <Text size="xs" className="clock">
        {clock}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label="Speed"
        data={SPEEDS.map((speed) => ({ value: speed, label: `${speed}×` }))}
        value={String(options.speed)}
        onChange={(speed) => onOptions({ ...options, speed: Number(speed) })}
      />
      <Switch
        size="xs"
        label="Skip inactivity"
        checked={options.skipInactive}
        onChange={({ currentTarget: { checked } }) => onOptions({ ...options, skipInactive: checked })}
      />
      <Button variant="default" onClick={copyLink}>
        {clipboard.copied ? "Copied" : "Copy link to this second"}
      </Button>
    </Group>
  )
}
