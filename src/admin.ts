import { runAdmin } from "./app/run-admin.js"

await runAdmin(process.argv.slice(2))
