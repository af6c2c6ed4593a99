/**
 * Key pairs of the demo's agent and shop. They are created and kept in this browser, and the private keys can't be
 * exported.
 */
export type KeyName = "agent" | "agent-dpop" | "shop";

const databaseName = "paygrant-demo";
const storeName = "keys";

const openStore = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const inStore = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const database = await openStore();
  try {
    return await new Promise<T>((resolve, reject) => {
      const request = work(database.transaction(storeName, mode).objectStore(storeName));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    database.close();
  }
};

export const createDemoKey = async (name: KeyName): Promise<CryptoKeyPair> => {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  await inStore("readwrite", (store) => store.put(pair, name));
  return pair;
};

/** @throws Error if this browser no longer has the key, for example because its site data was cleared. */
export const getDemoKey = async (name: KeyName): Promise<CryptoKeyPair> => {
  const pair: unknown = await inStore("readonly", (store) => store.get(name));
  if (!isKeyPair(pair)) throw new Error("This browser no longer has the demo’s keys. Start over.");
  return pair;
};

const isKeyPair = (value: unknown): value is CryptoKeyPair =>
  typeof value === "object" && value !== null && "privateKey" in value && "publicKey" in value;
