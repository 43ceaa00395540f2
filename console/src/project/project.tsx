import { createContext, useContext } from "react"

/** The project that the screen is about. */
export interface Project {
  /** As operations name it. */
  readonly id: string
  readonly name: string
  /** IANA name of the zone in which its times are shown. */
  readonly timezone: string
  /** Whether the caller may change what is in it: viewers only read. */
  readonly mayWrite: boolean
}

const ProjectContext = createContext<Project | null>(null)

/** Says which project the screens below it are about. */
export const ProjectProvider = ProjectContext.Provider

/** The project that the screen is about. @throws Error outside of a project's pages. */
export function useProject(): Project {
  const project = useContext(ProjectContext)
  if (project === null) throw new Error("there is no ProjectProvider above")
  return project
}
