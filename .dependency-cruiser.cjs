// Imports point down only. The modules are listed from top to bottom. Modules between bars are siblings and don't
// import each other.
const modules = [
  "main",
  "cli",
  "roles",
  "http",
  "endpoints|trpc|jobs",
  "compose",
  "operators",
  "privacy",
  "sandbox",
  "billing",
  "status",
  "charges",
  "credentials",
  "oauth",
  "accounts|merchants",
  "mandates",
  "directory",
  "webhooks|audit|processors|assets",
  "platform",
  "contract",
  "deps",
  "data",
  "kernel",
];
const inModule = (names) => `^server/(${names})(?:/|\\.ts$)`;
/** Tests and fixtures may import any module, because they set up data with its verbs and endpoints. */
const tests = "\\.(test|fixture)\\.ts$";
const rules = "^server/(platform/)?[a-z-]+/rules/";

const downOnly = modules.slice(1).map((names, index) => ({
  name: `imports-point-down-${names.replaceAll("|", "-")}`,
  severity: "error",
  from: { path: inModule(names), pathNot: tests },
  // Data may import the types of rules; see "data-imports-only-types-of-rules" below.
  to: { path: inModule(modules.slice(0, index + 1).join("|")), pathNot: names === "data" ? rules : "^$" },
}));
const siblings = modules
  .filter((names) => names.includes("|"))
  .map((names) => ({
    name: `siblings-do-not-import-each-other-${names.replaceAll("|", "-")}`,
    severity: "error",
    from: { path: inModule(names), pathNot: tests },
    to: { path: inModule(names), pathNot: "^server/$1(?:/|\\.ts$)" },
  }));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...downOnly,
    ...siblings,
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "every-module-is-listed",
      comment: "Add each new folder of server/ to `modules`.",
      severity: "error",
      from: {},
      to: { path: "^server/", pathNot: inModule(modules.join("|")) },
    },
    {
      name: "kernel-imports-nothing-of-ours",
      severity: "error",
      from: { path: "^server/kernel/" },
      to: { path: "^(server|app|components|e2e)/", pathNot: "^server/kernel/" },
    },
    {
      name: "data-imports-kernel-and-rules",
      severity: "error",
      from: { path: "^server/data/" },
      to: { path: "^(server|app|components)/", pathNot: ["^server/(data|kernel)/", rules] },
    },
    {
      name: "data-imports-only-types-of-rules",
      severity: "error",
      from: { path: "^server/data/", pathNot: tests },
      to: { path: rules, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "rules-import-only-kernel",
      severity: "error",
      from: { path: rules, pathNot: tests },
      to: { path: "^(server|app|components)/", pathNot: ["^server/kernel/", rules] },
    },
    {
      // Endpoints, routers, jobs, commands and the documentation's rule table may import a rule. Other domains may not.
      name: "rules-stay-in-their-domain",
      severity: "error",
      from: {
        path: `^server/(${modules.slice(modules.indexOf("operators"), modules.indexOf("contract")).join("|")})/`,
      },
      to: { path: rules, pathNot: "^server/$1/" },
    },
    {
      name: "only-data-imports-prisma-or-pg",
      severity: "error",
      from: { path: "^(server|app|components)/", pathNot: "^server/(data|cli)/" },
      to: { path: "node_modules/(pg|@prisma|prisma)/|^server/data/generated/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-roles-import-next",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/roles/(web|status|next-headers)\\.ts$" },
      to: { path: "node_modules/next/" },
    },
    {
      name: "outbound-imports-kernel-and-its-types",
      severity: "error",
      from: { path: "^server/platform/outbound/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|components)/", pathNot: "^server/(platform/outbound|kernel|deps)/" },
    },
    {
      name: "server-does-not-import-pages",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^(app|components)/" },
    },
    {
      name: "components-are-plain",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^(server|app)/", pathNot: "^server/kernel/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "components-do-not-import-pages",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^app/" },
    },
    {
      name: "shared-components-import-no-page-area",
      severity: "error",
      from: { path: "^components/(ui|format|layout|portal|sign-in)/" },
      to: { path: "^components/", pathNot: "^components/(ui|format|layout|portal|sign-in)/" },
    },
    {
      name: "client-package-imports-only-jose",
      severity: "error",
      from: { path: "^packages/client/src/", pathNot: tests },
      to: { pathNot: "^packages/client/src/|^node_modules/jose/" },
    },
    {
      // The package is for other programs. The server itself must not depend on it.
      name: "server-does-not-import-the-client-package",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^packages/" },
    },
    {
      name: "others-import-the-client-package-by-its-index",
      severity: "error",
      from: { pathNot: "^packages/" },
      to: { path: "^packages/", pathNot: "^packages/client/src/index\\.ts$" },
    },
    {
      name: "who-checks-from-outside-is-independent",
      severity: "error",
      from: { path: "^e2e/outside/(resource-server|recompute-uptime)\\.ts$" },
      to: { path: "^(server|app|components|e2e)/" },
    },
  ],
  options: {
    // Generated code is treated like a library: the imports inside it are not checked.
    doNotFollow: { path: ["node_modules", "^server/data/generated/"] },
    exclude: { path: "^\\.next/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] },
  },
};
