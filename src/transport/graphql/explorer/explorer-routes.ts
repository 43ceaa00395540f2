import { Router } from "express"
export function explorerRoutes(): Router {
  return Router()
}
