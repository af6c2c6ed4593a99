import { mount } from "#server/http/serve.ts";
import { advanceClockEndpoint, readClockEndpoint } from "#server/sandbox/endpoints/clock.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(readClockEndpoint, advanceClockEndpoint);
