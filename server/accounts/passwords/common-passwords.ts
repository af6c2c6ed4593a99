let common: Promise<ReadonlySet<string>> | null = null;

/**
 * The list is 400 kB, so it is loaded only when the first new password is checked. It includes the 10,000 most common
 * passwords.
 */
const loadList = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].map((password) => password.toLowerCase()));
};

/** Whether a password is one of the most common ones. Upper and lower case don't matter. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  common ??= loadList();
  return (await common).has(password.normalize("NFKC").toLowerCase());
};
