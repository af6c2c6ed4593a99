import { setTimeout as sleep } from "node:timers/promises";
import { stopWhenTold } from "./lifecycle.ts";

// A process that takes its time to start, and says what it was told when it ends.
const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
await sleep(Number(process.argv[2]));
stopWhenTold(async () => void process.stdout.write("stopped"), silent);
setInterval(() => {}, 1_000);
process.stdout.write("started ");
