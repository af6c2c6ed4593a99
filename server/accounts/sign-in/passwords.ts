import { hash, verify } from "@node-rs/argon2";

/** argon2id, 19 MiB, 2 passes, 1 lane (OWASP password storage, 2024). The PHC string contains all these parameters. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The hash of an arbitrary password. If an account is unknown, the entered password is verified against this hash, so
 * that the refusal takes the same time as for a known account.
 */
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$onbvnwtGcEQ7J2Jg71LFTA$KPUBvETRlpcz6MOwEClI/uOhFjEGVjwvXbCWdABk9Bc";

export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFKC"), parameters);

/** For a null hash, returns false after the same time as for a wrong password. */
export const verifyPassword = async (passwordHash: string | null, password: string): Promise<boolean> => {
  const matches = await verify(passwordHash ?? decoy, password.normalize("NFKC"));
  return passwordHash !== null && matches;
};
