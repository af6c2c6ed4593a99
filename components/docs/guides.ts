/** Pages of the documentation other than the operations. */
export const guides = [
  { href: "/docs", title: "Overview", text: "All operations, and search" },
  {
    href: "/docs/clients",
    title: "Client libraries",
    text: "Discovery with openid-client, oauth4webapi, Authlib and Spring Security",
  },
  {
    href: "/docs/button",
    title: "Button",
    text: "A button and a script that show the consent page; badges and pictures",
  },
  { href: "/docs/webhooks", title: "Webhooks", text: "Every event with its payload; signatures and retries" },
  { href: "/docs/sandbox", title: "Sandbox", text: "Simulated outcomes: metadata.simulate, test payment methods" },
  { href: "/docs/rules", title: "Rules", text: "All checks of a request, with their sources" },
  { href: "/docs/errors", title: "Errors", text: "Meaning of each problem code" },
  { href: "/docs/rate-limits", title: "Rate limits", text: "Requests per IP address and per client" },
  { href: "/directory", title: "Directory", text: "Participants with keys and capabilities; the transparency log" },
] as const;
