import {
  registerFederationEntityEndpoint,
  removeFederationEntityEndpoint,
} from "#server/endpoints/directory/federation-entity.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(
  registerFederationEntityEndpoint,
  removeFederationEntityEndpoint,
);
