import { authorizationDetailsTypesEndpoint } from "#server/endpoints/oauth/authorization-details-types.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(authorizationDetailsTypesEndpoint);
