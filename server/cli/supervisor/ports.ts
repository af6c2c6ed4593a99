import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./steps.ts";

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer();
    // On a machine without IPv6 no process listens on ::1.
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code !== "EADDRINUSE" && error.code !== "EACCES"),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

const isFree = async (port: number): Promise<boolean> =>
  (await canListen(port, "127.0.0.1")) && (await canListen(port, "::1"));

/**
 * @param ports the ports; the keys are the names of the variables that set them.
 * @param patienceSeconds how long processes of a killed run may take to end.
 * @throws StartError with one line per port in use.
 */
export const assertPortsFree = async (
  ports: Readonly<Record<string, number>>,
  patienceSeconds: number,
): Promise<void> => {
  const deadline = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const taken: string[] = [];
    for (const [name, port] of Object.entries(ports)) {
      if (!(await isFree(port)))
        taken.push(`${name}: port ${port} is in use; stop the process that listens there, or set ${name}`);
    }
    if (taken.length === 0) return;
    if (performance.now() >= deadline) throw new StartError(taken.join("\n"));
    await sleep(250);
  }
};
