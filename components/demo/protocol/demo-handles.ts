import type { Client, Grant, PushedRequest, Session } from "#client";

/** The keys and tokens of the demo's agent and shop. The browser stores them; the private keys can't be exported. */
type Handles = { agent: Client; shop: Client; request: PushedRequest; grant: Grant; session: Session };

const databaseName = "paygrant-demo";
/** Version 1 stored only the keys. */
const version = 2;
const storeName = "handles";

const openStore = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, version);
    request.onupgradeneeded = () => {
      for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name);
      request.result.createObjectStore(storeName);
    };
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

export const keepHandle = async <Name extends keyof Handles>(name: Name, handle: Handles[Name]): Promise<void> => {
  await inStore("readwrite", (store) => store.put(handle, name));
};

/**
 * Reads what `keepHandle` stored.
 * @throws Error if it is missing, for example because the browser's site data was deleted.
 */
export const getHandle = async <Name extends keyof Handles>(name: Name): Promise<Handles[Name]> => {
  const handle: Handles[Name] | undefined = await inStore("readonly", (store) => store.get(name));
  if (handle === undefined) throw new Error("This browser no longer has the demo’s keys. Start over.");
  return handle;
};
