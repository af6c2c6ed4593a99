import { createAgentTokenEndpoint, listAgentTokensEndpoint } from "#server/endpoints/directory/agent-tokens.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(
  createAgentTokenEndpoint,
  listAgentTokensEndpoint,
);
