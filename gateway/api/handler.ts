import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { sendProblem } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { checkAnnouncedBody } from './body.ts';
import type { ServiceProxy } from './proxy.ts';
import { RateLimited, type RateLimits } from '../limits/rate-limits.ts';
import type { Room } from '../room.ts';
import type { Route, RouteTable } from './routes.ts';
import type { Shedder } from '../shedding/shedder.ts';

export const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** A word that means nothing would make what is cached new to every cache. @throws Problem naming it */
function checkQuery(url: string, known: ReadonlySet<string>): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  for (const name of new URLSearchParams(url.slice(start)).keys())
    if (!known.has(name)) throw fieldProblem(name.slice(0, 40), 'unknown-value');
}

/** @throws Problem `unavailable` for what would fill a disk that is nearly full */
function requireRoom(
  { isUpload, isChange }: Route,
  { uploads, writes }: Pick<Room, 'uploads' | 'writes'>,
): void {
  if (isUpload ? uploads : writes || !isChange) return;
  throw new Problem('unavailable', { retryAfterSeconds: 60 });
}

/** A call under /api: matched with contracts, admitted, limited, measured, handed over. What contracts do not know ends here. */
export function apiHandler(
  routes: RouteTable,
  limits: RateLimits,
  shedder: Shedder,
  proxy: ServiceProxy,
  room?: Pick<Room, 'uploads' | 'writes'>,
) {
  return async (exchange: Exchange): Promise<void> => {
    const { request, response, path } = exchange;
    const match = routes(request.method ?? '', path);
    if (match.kind === 'route') exchange.routeKey = match.route.key;
    try {
      if (match.kind === 'route' && room) requireRoom(match.route, room);
      // Before limits: who is turned away has not used up anything.
      const answered = match.kind === 'route' ? shedder.admit(exchange, match.route) : undefined;
      const headers = await limits(exchange.address, match.kind === 'route' ? match.route : undefined);
      for (const name in headers) exchange.headers.push(name, String(headers[name]));
      if (match.kind === 'unknown') throw new Problem('not-found');
      if (match.kind === 'wrong-method') {
        return sendProblem(exchange, new Problem('method-not-allowed'), { Allow: match.allow });
      }
      // Browsers say so themselves, and no page can make them say otherwise.
      if (match.route.isSameSite && request.headers['sec-fetch-site'] === 'cross-site')
        throw new Problem('forbidden');
      if (match.route.isCached) checkQuery(request.url ?? '', match.route.queryNames);
      checkAnnouncedBody(request, match.route);
      if (exchange.expectsContinue) response.writeContinue();
      proxy.forward(exchange, match.route, answered);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      sendProblem(exchange, refusal, refusal instanceof RateLimited ? refusal.headers : {});
    }
  };
}
