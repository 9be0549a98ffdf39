import type { Target } from '../frame/target.ts';
import type { Report } from '../frame/topic.ts';
import { sideBySide } from '../frame/side-by-side.ts';
import { speak } from './raw.ts';

/** The smuggled request. */
const HIDDEN = 'GET /api/stats HTTP/1.1\r\nHost: x\r\n\r\n';
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';

const post = (headers: readonly string[], body: string, path = '/api/auth/customer/login') =>
  [`POST ${path} HTTP/1.1`, 'Host: x', JSON_TYPE, ...headers, '', body].join('\r\n');
const get = (headers: readonly string[]) => ['GET /api/stats HTTP/1.1', ...headers, '', ''].join('\r\n');

/** Requests that two readers could split differently: one status 400, and the connection is over. */
const REFUSED: Record<string, string> = {
  'CL.TE': post(['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`),
  'TE.CL': post(
    ['Transfer-Encoding: chunked', 'Content-Length: 4'],
    `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  ),
  'TE.TE, the second unknown': post(
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: cow'],
    CHUNKS + HIDDEN,
  ),
  'TE.TE, the first unknown': post(['Transfer-Encoding: cow', 'Transfer-Encoding: chunked'], CHUNKS + HIDDEN),
  'TE twice': post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], CHUNKS + HIDDEN),
  'TE chunked and more': post(['Transfer-Encoding: chunked, identity'], CHUNKS + HIDDEN),
  'TE identity': post(['Transfer-Encoding: identity', 'Content-Length: 2'], `{}${HIDDEN}`),
  'TE xchunked': post(['Transfer-Encoding: xchunked'], CHUNKS + HIDDEN),
  'TE with a tab': post(['Transfer-Encoding:\tx, chunked\t, x'], CHUNKS + HIDDEN),
  'TE with a vertical tab': post(['Transfer-Encoding: \x0bchunked'], CHUNKS + HIDDEN),
  'TE in quotes': post(['Transfer-Encoding: "chunked"'], CHUNKS + HIDDEN),
  'TE with a space before its colon': post(['Transfer-Encoding : chunked'], CHUNKS + HIDDEN),
  'TE folded': post(['Transfer-Encoding:', ' chunked', 'Content-Length: 2'], `{}${HIDDEN}`),
  'TE and HTTP/1.0': post(['Transfer-Encoding: chunked', 'Content-Length: 2'], CHUNKS + HIDDEN).replace(
    'HTTP/1.1',
    'HTTP/1.0',
  ),
  'CL twice, different': post(['Content-Length: 2', 'Content-Length: 40'], `{}${HIDDEN}`),
  'CL twice, alike': post(['Content-Length: 2', 'Content-Length: 2'], `{}${HIDDEN}`),
  'CL a list': post(['Content-Length: 2, 2'], `{}${HIDDEN}`),
  'CL with a plus': post(['Content-Length: +2'], `{}${HIDDEN}`),
  'CL below zero': post(['Content-Length: -2'], `{}${HIDDEN}`),
  'CL in hex': post(['Content-Length: 0x2'], `{}${HIDDEN}`),
  'CL with a fraction': post(['Content-Length: 2.0'], `{}${HIDDEN}`),
  'CL with a space inside': post(['Content-Length: 2 2'], `{}${HIDDEN}`),
  'CL that nobody can count': post(['Content-Length: 99999999999999999999999'], `{}${HIDDEN}`),
  'CL with a space before its colon': post(['Content-Length : 2'], `{}${HIDDEN}`),
  'CL empty': post(['Content-Length:'], `{}${HIDDEN}`),
  'a header folded': get(['Host: x', 'X-Long: a', ' b']),
  'a folded Host': get(['Host:', ' x']),
  'a bare line feed between headers': 'GET /api/stats HTTP/1.1\nHost: x\nX-A: 1\n\n',
  'a bare line feed inside a header': get(['Host: x', 'X-A: 1\nTransfer-Encoding: chunked']),
  'a bare carriage return inside a header': get(['Host: x', 'X-A: 1\rX-B: 2']),
  'a null inside a header': get(['Host: x', 'X-A: 1\0']),
  'a header without a colon': get(['Host: x', 'Nonsense']),
  'a header without a name': get(['Host: x', ': nonsense']),
  'a space before the first header': get([' Host: x']),
  'no Host': get(['X-A: 1']),
  'Host twice': get(['Host: x', 'Host: y']),
  'a chunk whose size is none': post(['Transfer-Encoding: chunked'], `xyz\r\n{}\r\n0\r\n\r\n${HIDDEN}`),
  'a chunk whose size is negative': post(['Transfer-Encoding: chunked'], `-2\r\n{}\r\n0\r\n\r\n${HIDDEN}`),
  'a chunk whose size is beyond counting': post(
    ['Transfer-Encoding: chunked'],
    `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${HIDDEN}`,
  ),
  'a chunk that is longer than it says': post(
    ['Transfer-Encoding: chunked'],
    `2\r\n{}{}\r\n0\r\n\r\n${HIDDEN}`,
  ),
  'a chunk with a line feed in its extension': post(
    ['Transfer-Encoding: chunked'],
    `2;a\n\r\n{}\r\n0\r\n\r\n${HIDDEN}`,
  ),
  'a version that is none': get(['Host: x']).replace('HTTP/1.1', 'HTTP/9.9'),
  'a version in small letters': get(['Host: x']).replace('HTTP/1.1', 'http/1.1'),
  'no version': 'GET /api/stats\r\n\r\n',
  'a method that is none': get(['Host: x']).replace('GET', 'G\tET'),
  'a space in the path': get(['Host: x']).replace('/api/stats', '/api/st ats'),
  'another protocol': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'HTTP/2 without being asked': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
};

/** A doubtful message ends its connection: nothing behind it is read as a request. */
export async function smuggling(target: Target, { check }: Report): Promise<void> {
  const { url } = target.filled.product;
  await sideBySide(Object.entries(REFUSED), 8, async ([name, bytes]) => {
    const { statuses, text, closed } = await speak(url, bytes);
    check(`${name}: is refused`, statuses[0] === 400, text);
    check(`${name}: what is hidden in it is not answered`, !statuses.includes(200) && closed, {
      statuses,
      closed,
    });
  });
  // The same doubt on paths that are no calls.
  await sideBySide(
    ['/', '/plant-trees', '/readyz', '/api/docs', '/api/nothing', '/assets/x.js'],
    8,
    async (path) => {
      const { statuses, closed } = await speak(
        url,
        post(['Content-Length: 2', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`, path),
      );
      check(`CL.TE at ${path} is refused`, statuses[0] === 400 && statuses.length === 1 && closed, statuses);
      const body = await speak(url, post([`Content-Length: ${HIDDEN.length}`], HIDDEN, path));
      check(`a body at ${path} is no second request`, body.statuses.length === 1, body.statuses);
    },
  );
}
