import {
  bySpecificity,
  type Endpoint,
  isInternal,
  maxBodyBytesOf,
  methodOf,
  pathOf,
} from '@arboleda/contracts/endpoint.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { z } from 'zod';

export interface Route {
  /** "GET /api/orders/{token}", for logs and metrics. */
  key: string;
  service: ServiceName;
  isUpload: boolean;
  /** Its answers stay open for minutes. */
  isStream: boolean;
  isJson: boolean;
  /** Its answers are public pictures: see photo-cache.ts. */
  isPhoto: boolean;
  maxBodyBytes: number;
  /** Accepted under any load. */
  isNeverShed: boolean;
  limit: { max: number; windowSeconds: number } | undefined;
  queryNames: ReadonlySet<string>;
  isChange: boolean;
  /** Refused when called by pages of other sites. */
  isSameSite: boolean;
}

export type RouteMatch =
  | { kind: 'route'; route: Route }
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'unknown' };

export type RouteTable = (method: string, path: string) => RouteMatch;

interface Path {
  segments: string[];
  routes: Map<string, Route>;
  allow: string;
}

/** Lookup table of the public endpoints in the contracts: static paths first, no internal ones. */
export function routeTable(endpoints: Record<string, Endpoint>): RouteTable {
  const exact = new Map<string, Path>();
  const withParameters = new Map<number, Path[]>();
  const keys = Object.keys(endpoints).filter((key) => !isInternal(pathOf(key)));
  for (const key of keys.sort((a, b) => bySpecificity(pathOf(a), pathOf(b)))) {
    const shape = pathOf(key).replace(/\{\w+\}/g, '{}');
    const path = exact.get(shape) ?? { segments: shape.split('/'), routes: new Map(), allow: '' };
    if (!exact.has(shape)) {
      exact.set(shape, path);
      const count = path.segments.length;
      if (shape.includes('{}')) withParameters.set(count, [...(withParameters.get(count) ?? []), path]);
    }
    path.routes.set(methodOf(key), routeOf(key, endpoints[key]!));
    // undici closes the connection after each HEAD.
    if (methodOf(key) === 'GET')
      path.routes.set('HEAD', { ...routeOf(key, endpoints[key]!), isJson: false, isPhoto: false });
    path.allow = [...path.routes.keys()].join(', ');
  }
  return (method, target) => {
    const path = exact.get(target) ?? findPath(withParameters, target);
    if (!path) return { kind: 'unknown' };
    const route = path.routes.get(method);
    return route ? { kind: 'route', route } : { kind: 'wrong-method', allow: path.allow };
  };
}

function findPath(candidates: Map<number, Path[]>, target: string): Path | undefined {
  const segments = target.split('/');
  return candidates
    .get(segments.length)
    ?.find((path) =>
      path.segments.every((segment, index) =>
        segment === '{}' ? segments[index] !== '' : segment === segments[index],
      ),
    );
}

const isImage = ({ binary }: Endpoint): boolean =>
  binary !== undefined && [binary].flat().every((type) => type.startsWith('image/'));

const routeOf = (key: string, endpoint: Endpoint): Route => ({
  key,
  service: endpoint.service,
  isUpload: endpoint.upload !== undefined,
  isStream: endpoint.stream !== undefined,
  isJson: !endpoint.upload && !endpoint.stream && !endpoint.binary,
  isPhoto: methodOf(key) === 'GET' && isImage(endpoint) && endpoint.access === 'public',
  maxBodyBytes: maxBodyBytesOf(endpoint),
  isNeverShed: endpoint.neverShed === true,
  limit: endpoint.limit,
  queryNames: new Set(endpoint.query instanceof z.ZodObject ? Object.keys(endpoint.query.shape) : []),
  isChange: methodOf(key) !== 'GET',
  isSameSite: methodOf(key) !== 'GET' && !endpoint.fromAnywhere,
});
