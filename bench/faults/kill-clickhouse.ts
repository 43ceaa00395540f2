import { killChild, runKills } from "./support/kill-run.js"

/** kill -9 of the embedded ClickHouse at random moments. `--rounds 20 --clients 8 --batch 100 --seed 1` */
await runKills("kill -9 of ClickHouse", (run) => killChild(run, "clickhouse-child"))
