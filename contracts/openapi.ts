import { z } from 'zod';
import { exampleOf, isOnlyOurs } from './example.ts';
import { type Endpoint, isInternal, maxBodyBytesOf, methodOf, pathOf, rolesOf } from './endpoint.ts';
import { STEP_UP_SECONDS } from './permissions.ts';
import { PROBLEM_TYPES, problemError, problemKind } from './problem-kinds.ts';
import { FIELD_PROBLEMS, type ProblemBody, type ProblemType } from './problems.ts';
import type { Role } from './roles.ts';
import { subjectOf } from './services.ts';
import { VERSION } from './version.ts';

type Json = Record<string, unknown>;

/** Refusals possible on every call, besides declared ones. */
const ANYWHERE: readonly ProblemType[] = [
  'too-many-requests',
  'internal',
  'unavailable',
  'overloaded',
  'timeout',
];

/** OpenAPI 3.1 document, derived from the same declarations as routes and validation. */
export function openApiDocument(endpoints: Record<string, Endpoint>, options: { serverUrl: string }): Json {
  const paths: Record<string, Json> = {};
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const path = pathOf(key);
    if (isInternal(path)) continue;
    paths[path] = { ...paths[path], [methodOf(key).toLowerCase()]: operation(key, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Arboleda',
      version: VERSION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      contact: { name: 'Arboleda', url: options.serverUrl },
      description:
        'Trees planted in Colombia, and the proof that they were planted. Amounts are integers in hundredths of ' +
        'the currency, except JPY and KRW, which are whole units. Refusals are application/problem+json in the ' +
        'language of Accept-Language (English or Spanish); `type` is a stable slug. What a schema cannot tell, such as whether a ' +
        'link, a password or a quote is right, is checked as well, and refused by the name of its field.',
    },
    servers: [{ url: options.serverUrl }],
    tags: [...new Set(Object.values(endpoints).map(({ service }) => service))].map((name) => ({
      name,
      description: subjectOf(name),
    })),
    paths,
    components: {
      schemas: { Problem: PROBLEM_SCHEMA },
      headers: HEADERS,
      securitySchemes: Object.fromEntries(
        (['customer', 'worker', 'admin'] satisfies Role[]).map((role) => [
          role,
          {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: `Of POST /api/auth/${role}/login`,
          },
        ]),
      ),
    },
  };
}

function operation(key: string, endpoint: Endpoint): Json {
  const parameters = [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
    ...headersOf(endpoint),
  ];
  return {
    operationId: key.replace(/[^a-zA-Z]+/g, '_').replace(/_+$/, ''),
    tags: [endpoint.service],
    summary: endpoint.summary,
    description: `${endpoint.summary}. ${callersOf(endpoint)}`,
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(endpoint),
    responses: { ...success(endpoint), ...refusals(endpoint) },
    security: rolesOf(endpoint.access).map((role) => ({ [role]: [] })),
    ...(endpoint.permission && { 'x-permission': endpoint.permission }),
    ...(endpoint.stepUp && { 'x-step-up': true }),
  };
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

function shown(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = schemaOf(schema, io);
  return { schema: json, example: exampleOf(json) };
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
    ...(!isOnlyOurs(name) && { example: exampleOf(property, name) }),
  }));
}

function requestBody(endpoint: Endpoint): Json {
  if (endpoint.rawBody) {
    return {
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    };
  }
  if (endpoint.upload) {
    return { requestBody: { required: true, content: { 'multipart/form-data': multipart(endpoint) } } };
  }
  if (!endpoint.body) return {};
  // A body that may be empty may also be absent.
  const required = !endpoint.body.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': shown(endpoint.body, 'input') } } };
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;

function multipart({ upload, body }: Endpoint): Json {
  const { field, maxCount, maxBytes } = upload!;
  const fields = body ? schemaOf(body, 'input') : { type: 'object' };
  const files = {
    type: 'array',
    maxItems: maxCount,
    description: `${maxCount === 1 ? 'One file' : `One to ${maxCount} files`} of at most ${megabytes(maxBytes)} each, and ${megabytes(maxBodyBytesOf({ upload }))} together.`,
    items: { type: 'string', format: 'binary' },
  };
  return { schema: { ...fields, properties: { ...(fields.properties as Json), [field]: files } } };
}

function success(endpoint: Endpoint): Json {
  const status = String(endpoint.status ?? 200);
  if (endpoint.redirect) return { 303: { description: endpoint.summary, headers: { Location: LOCATION } } };
  if (endpoint.binary) {
    const bytes = { schema: { type: 'string', format: 'binary' } };
    const content = Object.fromEntries([endpoint.binary].flat().map((type) => [type, bytes]));
    return {
      [status]: { description: endpoint.summary, headers: refer('ETag', ...RATE_LIMIT), content },
      206: { description: 'The part that was asked for', headers: refer('ETag', 'Content-Range'), content },
      304: { description: 'The caller has it already', headers: refer('ETag') },
    };
  }
  if (endpoint.stream) {
    const description = `${endpoint.summary}. Server-sent events, each with this JSON as its data.`;
    return {
      [status]: {
        description,
        headers: refer(...RATE_LIMIT),
        content: { 'text/event-stream': shown(endpoint.stream, 'output') },
      },
    };
  }
  if (!endpoint.response) return { [status]: { description: 'Done', headers: refer(...RATE_LIMIT) } };
  const content = { [endpoint.mediaType ?? 'application/json']: shown(endpoint.response, 'output') };
  const headers = refer(...(endpoint.etag ? ['ETag' as const] : []), ...RATE_LIMIT);
  return {
    [status]: { description: endpoint.summary, headers, content },
    ...(endpoint.etag &&
      status === '200' && { 304: { description: 'The caller has it already', headers: refer('ETag') } }),
  };
}

/** One answer per status, listing its slugs. */
function refusals(endpoint: Endpoint): Json {
  const byStatus = new Map<number, ProblemType[]>();
  for (const type of new Set([...implied(endpoint), ...(endpoint.problems ?? []), ...ANYWHERE])) {
    const { status } = problemKind(type);
    byStatus.set(status, [...(byStatus.get(status) ?? []), type]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, types]) => [
      String(status),
      {
        description: types.map((type) => `\`${type}\`: ${problemKind(type).en}`).join('  \n'),
        ...((status === 429 || status === 503) && {
          headers: refer('Retry-After', ...(status === 429 ? RATE_LIMIT : [])),
        }),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(types.map((type) => [type, { value: exampleProblem(type) }])),
          },
        },
      },
    ]),
  );
}

function exampleProblem(type: ProblemType): ProblemBody {
  const { status, en: title } = problemKind(type);
  const correlationId = '3f0c9a52-6d1b-4a77-9c1e-8a4a6f2b7d10';
  const errors = [{ path: 'email', type: 'required', message: FIELD_PROBLEMS.required.en } as const];
  const marked = type === 'validation-failed' && { errors };
  const error = problemError(type, 'en');
  return { type, title, status, ...marked, correlationId, error, message: error };
}

/** Problems implied by the kind of call. */
function implied(endpoint: Endpoint): ProblemType[] {
  const takesBody = endpoint.body ?? endpoint.upload;
  return [
    ...(endpoint.access === 'public' ? [] : (['unauthenticated', 'forbidden'] as const)),
    ...(endpoint.stepUp ? (['step-up-required'] as const) : []),
    ...(endpoint.params ? (['not-found', 'malformed-request'] as const) : []),
    ...(endpoint.binary ? (['range-not-satisfiable'] as const) : []),
    ...(endpoint.query || takesBody || endpoint.idempotent ? (['validation-failed'] as const) : []),
    ...(takesBody ? (['malformed-request', 'body-too-large', 'unsupported-media-type'] as const) : []),
    ...(endpoint.body && !endpoint.upload ? (['malformed-json'] as const) : []),
  ];
}

/** Headers accepted besides parameters and body. */
function headersOf(endpoint: Endpoint): Json[] {
  const header = (name: string, schema: Json, description: string, required = false) => ({
    name,
    in: 'header',
    required,
    description,
    schema,
  });
  const key = { type: 'string', pattern: '^[\\w-]{8,128}$' };
  const tag = { type: 'string', pattern: '^"[^"]*"$' };
  return [
    ...(endpoint.idempotent
      ? [
          header(
            'Idempotency-Key',
            key,
            'The same key with the same body gives the same answer and happens once.',
          ),
        ]
      : []),
    ...(endpoint.problems?.includes('precondition-failed')
      ? [
          header(
            'If-Match',
            tag,
            'The version that the caller decided on; refused when there is a newer one. `*` is any version.',
          ),
        ]
      : []),
    ...(endpoint.rawBody
      ? [header('Stripe-Signature', text, 'By which Stripe proves that the event is its own.', true)]
      : []),
    ...(endpoint.binary
      ? [
          header('If-None-Match', text, 'Versions that the caller has already.'),
          header(
            'Range',
            text,
            'The part that is wanted: "bytes=0-99". Other units, several ranges and what cannot be read are ignored (RFC 9110).',
          ),
        ]
      : []),
  ];
}

function callersOf({ access, permission, stepUp }: Endpoint): string {
  if (access === 'public') return 'Open to everybody.';
  const admins = permission ? ` Admins need the permission \`${permission}\`.` : '';
  const again = stepUp
    ? ` Admins with two-factor login must have given a code in the last ${STEP_UP_SECONDS / 60} minutes.`
    : '';
  return `For people logged in as ${rolesOf(access).join(' or ')}.${admins}${again}`;
}

const HEADERS = {
  ETag: { description: 'The version of what is answered', schema: { type: 'string' } },
  'Content-Range': { description: 'Which part it is', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds after which to try again', schema: { type: 'integer', minimum: 1 } },
  'RateLimit-Limit': { description: 'Calls allowed in the window', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Calls that are left of them', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: { type: 'integer' } },
};
const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const refer = (...names: (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const text = { type: 'string' };
const LOCATION = { schema: { type: 'string', format: 'uri' } };

/** RFC 9457 with our extension members. */
const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'error', 'message'],
  properties: {
    type: { type: 'string', enum: PROBLEM_TYPES },
    title: text,
    status: { type: 'integer' },
    detail: text,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'type', 'message'],
        properties: {
          path: text,
          type: { type: 'string', enum: [...Object.keys(FIELD_PROBLEMS), ...PROBLEM_TYPES] },
          message: text,
        },
      },
    },
    lastDay: { type: 'string', format: 'date', description: 'Until when it could be done.' },
    correlationId: text,
    error: { ...text, description: 'For programs: a fixed message where one is promised, or the title.' },
    message: { ...text, description: 'The same as `error`.' },
  },
};
