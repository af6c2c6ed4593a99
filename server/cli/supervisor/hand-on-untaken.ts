import type { ChildProcess } from "node:child_process";

/** What `node:cluster` says to its processes and hears of them, as far as connections are concerned. */
type Message = {
  act?: string;
  /** Node's name for an address that is shared */
  key?: string;
  seq?: number;
  ack?: number;
  errno?: number | null;
  accepted?: boolean;
} | null;
type Connection = { close(): void };

const readingMilliseconds = 10;
/** Which processes take the connections of each address, by its name. */
const sharing = new Map<string, Set<ChildProcess>>();

/**
 * Hands on the connections that a process of `node:cluster` was offered and had not taken when it died: to a sibling, or
 * closes them where there is none. Node forgets them and leaves them open (round_robin_handle.js waits for a reply alone), so
 * that their clients would wait for an answer for ever. A process says that it takes one before it reads from it: nothing of
 * a connection that is handed on was read, and no request is answered twice.
 */
export const handOnUntaken = (child: ChildProcess): void => {
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
    // Where it was the last Node stops listening, and whoever comes next listens anew.
    if (siblings?.delete(child) && siblings.size === 0) sharing.delete(key);
  };
  // Behind Node's own listener, which has offered by then to a sibling what this process refuses.
  child.on("internalMessage", (message: Message) => {
    if (!message) return;
    const { act, key, ack, accepted } = message;
    if (act === "close" && key !== undefined) stopSharing(key);
    const offer = ack === undefined ? undefined : offered.get(ack);
    if (ack === undefined || !offer) return;
    offered.delete(ack);
    // Node keeps it for a process that never comes.
    if (!accepted && offer.siblings.size === 0) offer.connection.close();
  });
  const tell = (message: Message) => child.emit("internalMessage", { cmd: "NODE_CLUSTER", ...message });
  // As it would say itself. Node waits for its event `disconnect`, which never comes where a connection is on its way.
  const retire = () => {
    for (const [key, siblings] of sharing) if (siblings.has(child)) tell({ act: "close", key });
  };
  const disconnect = child.disconnect.bind(child);
  // Called by Node at the channel's end.
  child.disconnect = () => {
    disconnect();
    retire();
  };
  const leave = () => {
    // Replies that it sent before it died are read first.
    if (child.connected) return void setTimeout(leave, readingMilliseconds);
    retire();
    for (const ack of offered.keys()) tell({ ack, accepted: false });
  };
  child.once("exit", leave);
};
