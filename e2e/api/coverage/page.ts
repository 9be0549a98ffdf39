import {
  type Endpoint,
  type EndpointKey,
  isForServices,
  isInternal,
  pathOf,
  rolesOf,
} from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { SPEC_CALLS } from './spec-calls.ts';
import { testsOf } from './tests-of.ts';

const ALL = ENDPOINTS as Record<string, Endpoint>;
export const KEYS = Object.keys(ALL) as EndpointKey[];

/** Which call of the specification is which endpoint, and what tests it, as Markdown. */
export async function coveragePage(): Promise<string> {
  const tests = await testsOf(KEYS);
  const specified = new Set(SPEC_CALLS.map(({ key }) => key));
  const links = (key: EndpointKey) =>
    tests
      .get(key)!
      .map((file) => `[${file.split('/').at(-1)}](../${file})`)
      .join(' · ');
  const others = KEYS.filter((key) => !specified.has(key)).sort((a, b) => pathOf(a).localeCompare(pathOf(b)));
  return `# The calls of the API, and what tests each

Beside the tests named here every public call goes through \`e2e/api\`: whoever may not call it is refused, and whatever is sent to it is answered as \`/api/docs\` describes.

## The calls of the product specification

${table(
  ['call', 'sends', 'answers', 'service', 'tests'],
  SPEC_CALLS.map(({ key, sends, answers }) => [`\`${key}\``, sends, answers, ALL[key]!.service, links(key)]),
)}

## The calls beside them

${table(
  ['call', 'what it does', 'who', 'service', 'tests'],
  others.map((key) => [`\`${key}\``, ALL[key]!.summary, who(key), ALL[key]!.service, links(key)]),
)}
`;
}

const who = (key: EndpointKey): string => {
  const { access } = ALL[key]!;
  if (isForServices(access) && access.services.length < SERVICES.length) return access.services.join(', ');
  if (isInternal(pathOf(key))) return 'services';
  return access === 'public' ? 'anyone' : rolesOf(access).join(', ');
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
