import { ChildProcess } from "node:child_process";

// `NODE_OPTIONS=--import=…/fixed-date.mjs FIXED_DATE=2026-03-10T09:30:00Z` stops the clock of a process and of the
// processes that it starts. Timers, performance.now() and the database's clock continue.

const SystemDate = Date;
const fixed = SystemDate.parse(process.env.FIXED_DATE);

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, values, newTarget) => Reflect.construct(target, values.length > 0 ? values : [fixed], newTarget),
  get: (target, name) => (name === "now" ? () => fixed : Reflect.get(target, name)),
});

// The supervisor passes neither variable to its processes.
const passedOn = ["NODE_OPTIONS", "FIXED_DATE"].map((name) => `${name}=${process.env[name]}`);
const spawn = ChildProcess.prototype.spawn;
ChildProcess.prototype.spawn = function (options) {
  return spawn.call(this, { ...options, envPairs: [...(options.envPairs ?? []), ...passedOn] });
};
