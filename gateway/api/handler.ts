import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { type Exchange, sendProblem } from '../exchange.ts';
import { RateLimited, type RateLimits } from '../limits/rate-limits.ts';
import type { Shedder } from '../limits/shedder.ts';
import type { Room } from '../room.ts';
import { checkAnnouncedBody } from './message.ts';
import type { ServiceProxy } from './proxy.ts';
import type { Route, RouteTable } from './routes.ts';

/** Where verifiers of certificates look for the issuer's keys. */
const DID_DOCUMENT = '/.well-known/did.json';

export const isApiPath = (path: string): boolean =>
  path === '/api' || path.startsWith('/api/') || path === DID_DOCUMENT;

/**
 * Calls under /api: matched with the contracts, limited, and forwarded to their service. Unknown calls are
 * refused.
 */
export function apiHandler(
  routes: RouteTable,
  limits: RateLimits,
  shedder: Pick<Shedder, 'check'>,
  proxy: ServiceProxy,
  room?: Pick<Room, 'uploads' | 'writes'>,
) {
  return async (exchange: Exchange): Promise<void> => {
    const { request, response, path } = exchange;
    const match = routes(request.method ?? '', path);
    const route = match.kind === 'route' ? match.route : undefined;
    try {
      if (route) {
        exchange.routeKey = route.key;
        if (room) requireRoom(route, room);
        // Before the limits, so that a shed call does not count against its caller.
        shedder.check(route);
      }
      exchange.headers.push(...(await limits(exchange.address, route)));
      if (match.kind === 'unknown') throw new Problem('not-found');
      if (match.kind === 'wrong-method') {
        return sendProblem(exchange, new Problem('method-not-allowed'), { Allow: match.allow });
      }
      checkCall(exchange, match.route);
      if (exchange.expectsContinue) response.writeContinue();
      proxy.forward(exchange, match.route);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      if (refusal instanceof RateLimited) exchange.headers.push(...refusal.headers);
      sendProblem(exchange, refusal);
    }
  };
}

function checkCall({ request }: Exchange, route: Route): void {
  // Browsers set this header, and pages cannot change it.
  if (route.isSameSite && request.headers['sec-fetch-site'] === 'cross-site') throw new Problem('forbidden');
  if (route.isPhoto) checkQuery(request.url ?? '', route.queryNames);
  checkAnnouncedBody(request, route.maxBodyBytes);
}

/** An unused parameter would bypass every cache of photos. @throws Problem naming it */
function checkQuery(url: string, known: ReadonlySet<string>): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  for (const name of new URLSearchParams(url.slice(start)).keys())
    if (!known.has(name)) throw fieldProblem(name.slice(0, 40), 'unknown-value');
}

/** @throws Problem `unavailable` for writes to a disk that is nearly full */
function requireRoom(
  { isUpload, isChange }: Route,
  { uploads, writes }: Pick<Room, 'uploads' | 'writes'>,
): void {
  if (isUpload ? uploads : writes || !isChange) return;
  throw new Problem('unavailable', { retryAfterSeconds: 60 });
}
