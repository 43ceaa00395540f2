interface Named {
  readonly name: string | null
  readonly derivedName: string | null
}

/** What a playlist is called: its name, or the one that a client derived. */
export const toPlaylistName = ({ name, derivedName }: Named): string => name || derivedName || "Untitled"
