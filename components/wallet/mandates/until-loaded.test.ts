import { TRPCClientError } from "@trpc/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { untilLoaded } from "./until-loaded.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const failure = (httpStatus: number) =>
  new TRPCClientError("x", { result: { error: { code: 0, message: "x", data: { httpStatus } } } as never });

test.each([new TypeError("fetch failed"), failure(429), failure(503)])(
  "a failed request is repeated: %s",
  async (error) => {
    const load = vi.fn().mockRejectedValueOnce(error).mockResolvedValue("rows");
    const [show, refused] = [vi.fn(), vi.fn()];
    untilLoaded(load, show, refused);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(show).toHaveBeenCalledExactlyOnceWith("rows");
    expect(refused).not.toHaveBeenCalled();
  },
);

test.each([401, 404])("a request that is refused with %i is not repeated", async (status) => {
  const load = vi.fn().mockRejectedValue(failure(status));
  const refused = vi.fn();
  untilLoaded(load, vi.fn(), refused);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledOnce();
  expect(refused).toHaveBeenCalledOnce();
});
