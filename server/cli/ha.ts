import { drillUsage, runDrill } from "../../e2e/faults/failover/drill.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { runMeasure } from "./checks/run-measure.ts";
import { configurationOf } from "./ha/database-cluster.ts";
import { type HaInstallation, startHa } from "./ha/start-ha.ts";
import { StartError } from "./supervisor/steps.ts";

answerHelp(`npm run ha
starts the installation of docs/runbooks/ha on this machine, with new data and free ports: three database nodes with
etcd and Patroni, HAProxy, and for production and the sandbox two web processes and two workers behind nginx

${drillUsage}`);

const announce = ({ directory, environment, database, webUrls }: HaInstallation): void => {
  const [node] = database.nodes;
  const configuration = node ? configurationOf(node) : "";
  const lines = [
    `ready ${environment["BASE_URL"]}`,
    "",
    `  production   ${environment["BASE_URL"]}   web processes: ${webUrls.production.join(", ")}`,
    `  sandbox      ${environment["SANDBOX_URL"]}   web processes: ${webUrls.sandbox.join(", ")}`,
    `  status       http://localhost:${environment["STATUS_PORT"]}`,
    "",
    `  databases    ${database.programs.versions}`,
    `               primary: 127.0.0.1:${database.ports.primary}, standbys: 127.0.0.1:${database.ports.standbys}`,
    `               ${database.nodes.map(({ name, ports }) => `${name}: ${ports.postgres}`).join(", ")}`,
    `  nodes        patronictl -c ${configuration} list`,
    `  switchover   patronictl -c ${configuration} switchover --force`,
    "",
    "  sign in as   payer@demo.paygrant.test   password: paygrant-demo",
    "",
    `  logs in ${directory}/logs; stop with Ctrl-C, which also deletes all data`,
    "",
  ];
  process.stdout.write(lines.join("\n"));
};

/** Resolves after Ctrl-C, SIGTERM, or the end of the process that started this one. */
const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    process.on("disconnect", () => resolve());
  });

await runMeasure(async () => {
  const [command, ...args] = process.argv.slice(2);
  if (command === "drill") return runDrill(args);
  if (command !== undefined) throw new StartError(`unknown argument: ${command}`);
  const stopped = untilStopped();
  const installation = await startHa();
  announce(installation);
  await stopped;
  process.stdout.write("stopping …\n");
  await installation.stop();
  process.stdout.write("stopped\n");
});
