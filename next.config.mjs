/** @type {import("next").NextConfig} */
export default {
  // Types are checked by `npm run verify`; a start on a fresh clone need not wait for them again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Images aren't optimized: the optimizer would fetch any address that a request names.
  images: { unoptimized: true },
  // A page's code is loaded at its first request, so that the start of five processes doesn't wait for pages.
  experimental: { preloadEntriesOnStart: false },
  // Loaded by Node itself, once per process, for the pages and the gateway alike.
  serverExternalPackages: [
    "pg",
    "pg-boss",
    "@node-rs/argon2",
    "@simplewebauthn/server",
    "@prisma/client",
    "@prisma/adapter-pg",
    "pino",
  ],
};
