/** What is or was at an address: one of its formats, or one that another has replaced. */
export interface Version {
  /** As it stands in the ETag header. */
  etag: string;
  bytes: Buffer;
}

/** Versions by address, within so many bytes: what nobody has asked for the longest goes first. */
export interface Versions {
  /** Newest first. */
  of(url: string): readonly Version[];
  keep(url: string, version: Version): void;
  /** Room for what is on its way. @returns false when too much is; otherwise it is to be given back */
  reserve(bytes: number): boolean;
  giveBack(bytes: number): void;
  /** Bytes held, with what it takes to find them. */
  size(): number;
}

/** A photo is shown in three formats. */
const MAX_OF_ONE_URL = 3;
/** Of the room for what is held: many slow readers are not to fill the memory with what never becomes whole. */
const SHARE_ON_ITS_WAY = 1 / 4;
/** Strings, lists and places in the map, roughly. */
const OVERHEAD_BYTES = 512;
const NONE: readonly Version[] = [];

export function openVersions(maxBytes: number): Versions {
  // A Map tells its keys in the order in which they were put in.
  const byUrl = new Map<string, readonly Version[]>();
  let size = 0;
  let onItsWay = 0;

  const take = (url: string): readonly Version[] => {
    const versions = byUrl.get(url);
    if (!versions) return NONE;
    byUrl.delete(url);
    size -= sizeOf(url, versions);
    return versions;
  };
  const put = (url: string, versions: readonly Version[]) => {
    byUrl.set(url, versions);
    size += sizeOf(url, versions);
  };

  return {
    of(url) {
      const versions = take(url);
      if (versions !== NONE) put(url, versions);
      return versions;
    },
    keep(url, version) {
      const others = take(url).filter(({ etag }) => etag !== version.etag);
      put(url, [version, ...others.slice(0, MAX_OF_ONE_URL - 1)]);
      for (const oldest of byUrl.keys()) {
        if (size <= maxBytes) return;
        take(oldest);
      }
    },
    reserve(bytes) {
      if (onItsWay + bytes > maxBytes * SHARE_ON_ITS_WAY) return false;
      onItsWay += bytes;
      return true;
    },
    giveBack: (bytes) => void (onItsWay -= bytes),
    size: () => size,
  };
}

const sizeOf = (url: string, versions: readonly Version[]): number =>
  versions.reduce((sum, { bytes }) => sum + bytes.length + OVERHEAD_BYTES, url.length);
