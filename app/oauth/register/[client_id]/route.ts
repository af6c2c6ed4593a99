import { mount } from "#server/http/serve.ts";
import {
  deleteClientEndpoint,
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
} from "#server/oauth/endpoints/client-configuration.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
  deleteClientEndpoint,
);
