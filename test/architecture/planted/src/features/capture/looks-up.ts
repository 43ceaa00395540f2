import { app } from "../../app/create-app.js"
export const up = app
