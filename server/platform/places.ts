import maxmind, { type CityResponse, type Reader } from "maxmind";
import type { Places } from "../deps/places.ts";
import { ConfigError } from "./settings/config-error.ts";

const nowhere: Places = { find: () => null };

/**
 * Loads the database of GEOIP_DATABASE (MaxMind DB format) once. It isn't watched: a new file needs a restart.
 * @throws ConfigError if the file is missing or malformed.
 */
export const openPlaces = async (path: string | null): Promise<Places> => {
  if (path === null) return nowhere;
  const reader = await open(path);
  return {
    find(ipAddress) {
      if (!maxmind.validate(ipAddress)) return null;
      const found = reader.get(ipAddress);
      const country = found?.country?.iso_code;
      return country ? { country, city: found.city?.names.en ?? null } : null;
    },
  };
};

const open = async (path: string): Promise<Reader<CityResponse>> => {
  try {
    return await maxmind.open<CityResponse>(path);
  } catch {
    throw new ConfigError(["GEOIP_DATABASE: must be a readable file in MaxMind DB format"]);
  }
};
