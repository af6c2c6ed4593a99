// Imports flow down only: app -> trpc | http | jobs -> verbs -> rules | data | processors -> kernel.
const domains =
  "oauth|mandates|charges|credentials|accounts|merchants|billing|status|directory|webhooks|audit|mail|operators|sandbox|metrics";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "kernel-imports-nothing-of-ours",
      severity: "error",
      from: { path: "^server/kernel/" },
      to: { path: "^(server|app|components|e2e)/", pathNot: "^server/kernel/" },
    },
    {
      name: "rules-import-only-kernel",
      severity: "error",
      from: { path: `^server/(${domains})/(rules/|rules\\.)`, pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|components)/", pathNot: `^server/(kernel/|(${domains})/(rules/|rules\\.))` },
    },
    {
      name: "rules-stay-in-their-domain",
      severity: "error",
      from: { path: `^server/(${domains})/` },
      to: { path: `^server/(${domains})/(rules/|rules\\.)`, pathNot: "^server/$1/" },
    },
    {
      name: "only-data-imports-prisma-or-pg",
      severity: "error",
      from: { path: "^(server|app|components)/", pathNot: "^server/(data|cli)/" },
      to: { path: "node_modules/(pg|@prisma|prisma)/|^server/data/generated/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-app-imports-next",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/roles/(web|status|next-headers)\\.ts$" },
      to: { path: "node_modules/next/" },
    },
    {
      name: "data-imports-only-kernel",
      severity: "error",
      from: { path: "^server/data/" },
      to: { path: "^(server|app|components)/", pathNot: "^server/(data|kernel)/" },
    },
    {
      name: "outbound-imports-only-kernel",
      severity: "error",
      from: { path: "^server/outbound/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|components)/", pathNot: "^server/(outbound|kernel)/" },
    },
    {
      name: "domains-do-not-look-up",
      severity: "error",
      from: { path: `^server/(${domains}|processors)/`, pathNot: "^server/[a-z]+/endpoints/|\\.test\\.ts$" },
      to: { path: "^(app|components)/|^server/(http|trpc|jobs|cli|main|compose)" },
    },
    {
      name: "server-does-not-import-pages",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/http/gateway\\.ts$" },
      to: { path: "^(app|components)/" },
    },
    {
      name: "who-checks-from-outside-is-independent",
      severity: "error",
      from: { path: "^e2e/outside/(resource-server|recompute-uptime)\\.ts$" },
      to: { path: "^(server|app|components|e2e)/" },
    },
    {
      name: "components-are-plain",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^(server|app)/", pathNot: "^server/kernel/", dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    // Generated code is a library like any other: what it does inside is its own affair.
    doNotFollow: { path: ["node_modules", "^server/data/generated/"] },
    exclude: { path: "^\\.next/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] },
  },
};
