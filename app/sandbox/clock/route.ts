import { advanceClockEndpoint, readClockEndpoint } from "#server/endpoints/sandbox/clock.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(readClockEndpoint, advanceClockEndpoint);
