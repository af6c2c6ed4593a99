import { mount } from "#server/http/serve.ts";
import { authorizationDetailsTypesEndpoint } from "#server/oauth/endpoints/authorization-details-types.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(authorizationDetailsTypesEndpoint);
