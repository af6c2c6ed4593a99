import { hash, verify } from "@node-rs/argon2";

/** argon2id, 19 MiB, 2 passes, 1 lane (OWASP password storage, 2024); all of it stands in the PHC string. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of a password that nobody knows: an unknown account costs the same time as a known one. */
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$onbvnwtGcEQ7J2Jg71LFTA$KPUBvETRlpcz6MOwEClI/uOhFjEGVjwvXbCWdABk9Bc";

export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFKC"), parameters);

/** Takes the same time with a null hash, and is then false. */
export const verifyPassword = async (passwordHash: string | null, password: string): Promise<boolean> => {
  const matches = await verify(passwordHash ?? decoy, password.normalize("NFKC"));
  return passwordHash !== null && matches;
};
