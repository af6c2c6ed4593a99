import { consentDecisionEndpoint } from "#server/endpoints/oauth/consent-decision.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(consentDecisionEndpoint);
