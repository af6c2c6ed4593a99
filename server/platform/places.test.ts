import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeGeoDatabase } from "./geo-database.fixture.ts";
import { openPlaces } from "./places.ts";

let directory = "";
const fileOf = (name: string) => path.join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "places-"));
  const record = { country: { iso_code: "DE" }, city: { names: { en: "Berlin", de: "Berlin" } } };
  await writeFile(fileOf("city.mmdb"), makeGeoDatabase([203, 0, 113], record));
  await writeFile(fileOf("country.mmdb"), makeGeoDatabase([203, 0, 113], { country: { iso_code: "DE" } }));
  await writeFile(fileOf("broken.mmdb"), "not a database");
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("places of IP addresses (docs/spec/portal.md, Sign-in history)", () => {
  it("finds the city and the country of an address", async () => {
    const places = await openPlaces(fileOf("city.mmdb"));
    expect(places.find("203.0.113.9")).toEqual({ country: "DE", city: "Berlin" });
  });

  it("finds only the country if the database has no cities", async () => {
    const places = await openPlaces(fileOf("country.mmdb"));
    expect(places.find("203.0.113.9")).toEqual({ country: "DE", city: null });
  });

  it.each(["198.51.100.1", "127.0.0.1", "::1", "2001:db8::1", "", "unknown"])(
    "finds no place for %j",
    async (address) => {
      expect((await openPlaces(fileOf("city.mmdb"))).find(address)).toBeNull();
    },
  );

  it("finds no places without a database", async () => {
    expect((await openPlaces(null)).find("203.0.113.9")).toBeNull();
  });

  it.each(["broken.mmdb", "missing.mmdb"])("refuses %s at startup, naming the setting", async (name) => {
    await expect(openPlaces(fileOf(name))).rejects.toThrow("GEOIP_DATABASE: must be a readable file");
  });
});
