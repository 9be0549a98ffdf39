import { ConfigError } from '@arboleda/chassis/config.ts';
import { BlockList, isIP } from 'node:net';

/** Tells whether a peer's X-Forwarded-For and country headers are trusted. */
export interface TrustedProxies {
  includes(address: string): boolean;
}

/**
 * @param text addresses and CIDR blocks, separated by commas: "10.0.0.0/8, 192.168.1.7"
 * @throws ConfigError naming an invalid entry
 */
export function parseTrustedProxies(text: string): TrustedProxies {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [address = '', bits] = entry.split('/');
    const family = familyOf(address);
    const prefix = bits === undefined ? undefined : Number(bits);
    if (!family || (prefix !== undefined && !validPrefix(prefix, family))) {
      throw new ConfigError([`TRUSTED_PROXIES: "${entry}" is not an address or a CIDR block`]);
    }
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  const isEmpty = list.rules.length === 0;
  return {
    includes(address) {
      if (isEmpty) return false;
      const family = familyOf(address);
      return family !== undefined && list.check(address, family);
    },
  };
}

/** Whether the networks are too large to be proxies: half of all IPv4 addresses, or whole continents. */
export const trustsTooMany = (text: string): boolean =>
  text.split(',').some((entry) => {
    const [address = '', bits] = entry.trim().split('/');
    return bits !== undefined && Number(bits) < (isIP(address) === 6 ? 16 : 8);
  });

const validPrefix = (bits: number, family: 'ipv4' | 'ipv6') =>
  Number.isInteger(bits) && bits >= 0 && bits <= (family === 'ipv4' ? 32 : 128);

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  ({ 4: 'ipv4', 6: 'ipv6' })[isIP(address)] as 'ipv4' | 'ipv6' | undefined;

/**
 * The caller's address: the peer, or the address reported by a trusted peer, read from the right so that only
 * hops behind our own proxies count.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  let address = plainAddress(peer ?? '');
  const hops = (forwardedFor ?? '').split(',').map((hop) => plainAddress(hop.trim()));
  while (trusted.includes(address)) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** An IPv4-mapped IPv6 address is the same machine. */
export const plainAddress = (address: string): string =>
  address.startsWith('::') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address;
