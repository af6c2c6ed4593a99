/**
 * The idempotency keys of one dialog. The same request gets the same key, so that a double click or a retry moves money
 * once. A request with other content gets another key, because the server refuses a key with other content (422).
 */
export const makeRequestKeys = (newKey: () => string): ((request: object) => string) => {
  const keys = new Map<string, string>();
  return (request) => {
    const content = JSON.stringify(request);
    const key = keys.get(content) ?? newKey();
    keys.set(content, key);
    return key;
  };
};
