import { mount } from "#server/http/serve.ts";
import { consentDecisionEndpoint } from "#server/oauth/endpoints/consent-decision.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(consentDecisionEndpoint);
