import type { ChildProcess } from "node:child_process";

/** The messages between `node:cluster` and its processes that concern connections. */
type Message = {
  act?: string;
  /** Node's name of a shared address */
  key?: string;
  seq?: number;
  ack?: number;
  errno?: number | null;
  accepted?: boolean;
} | null;
type Connection = { close(): void };

const readingMilliseconds = 10;
/** The processes that accept connections at each address, by the address's name. */
const sharing = new Map<string, Set<ChildProcess>>();

/**
 * A process of `node:cluster` may crash after Node offered it connections and before it accepted them. This function
 * passes these connections to a sibling process, or closes them if there is no sibling. Node itself would leave the
 * connections open (round_robin_handle.js only waits for a reply), and their clients would wait forever. A process
 * accepts a connection before it reads from it. So nothing was read from a connection that is passed to a sibling, and
 * no request is answered twice.
 */
export const reassignUnaccepted = (child: ChildProcess): void => {
  const offered = new Map<number, { connection: Connection; siblings: Set<ChildProcess> }>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, connection?: unknown, ...rest: unknown[]): boolean => {
    const { act, key, seq, ack, errno } = (message ?? {}) as NonNullable<Message>;
    if (key !== undefined) {
      const siblings = sharing.get(key) ?? new Set();
      if (act === "newconn" && seq !== undefined) offered.set(seq, { connection: connection as Connection, siblings });
      // Node's answer to a process that listens.
      if (ack !== undefined && !errno) sharing.set(key, siblings.add(child));
    }
    return send(message, connection, ...rest);
  };
  const stopSharing = (key: string) => {
    const siblings = sharing.get(key);
    // When the last process at an address has ended, Node stops listening. When the next process listens, Node listens
    // again.
    if (siblings?.delete(child) && siblings.size === 0) sharing.delete(key);
  };
  // Runs after Node's own listener. If the process refused the connection, Node has then already offered it to a
  // sibling.
  child.on("internalMessage", (message: Message) => {
    if (!message) return;
    const { act, key, ack, accepted } = message;
    if (act === "close" && key !== undefined) stopSharing(key);
    const offer = ack === undefined ? undefined : offered.get(ack);
    if (ack === undefined || !offer) return;
    offered.delete(ack);
    // Without this, Node would keep the connection for a process that never starts.
    if (!accepted && offer.siblings.size === 0) offer.connection.close();
  });
  const emitMessage = (message: Message) => child.emit("internalMessage", { cmd: "NODE_CLUSTER", ...message });
  // Replies as the process itself would reply. Node waits for the event `disconnect` of the process, but this event
  // isn't emitted while a connection is being sent.
  const retire = () => {
    for (const [key, siblings] of sharing) if (siblings.has(child)) emitMessage({ act: "close", key });
  };
  const disconnect = child.disconnect.bind(child);
  // Node calls this function when the channel ends.
  child.disconnect = () => {
    disconnect();
    retire();
  };
  const leave = () => {
    // Replies that the process sent before the crash are read first.
    if (child.connected) return void setTimeout(leave, readingMilliseconds);
    retire();
    for (const ack of offered.keys()) emitMessage({ ack, accepted: false });
  };
  child.once("exit", leave);
};
