import { type JsonSchema, type SchemaUse, schemaChanges } from './schema-changes.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema?: JsonSchema }>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: JsonSchema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  security: Record<string, unknown>[];
  'x-permission'?: string;
  'x-step-up'?: boolean;
}

/** The parts of an OpenAPI document that callers rely on; the output of `promisedCalls`. */
export interface PromisedCalls {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
}

/** Drops from an OpenAPI document what no program of others depends on: texts, examples, headers and refusals. */
export function promisedCalls(document: Json): PromisedCalls {
  const { openapi, info, paths } = document as unknown as PromisedCalls;
  return {
    openapi,
    info: { title: info.title, version: info.version },
    paths: mapValues(paths, (operations) => mapValues(operations, promisedOperation)),
  };
}

const promisedOperation = (operation: Operation): Operation => ({
  ...(operation.parameters && {
    parameters: operation.parameters.map(({ name, in: place, required, schema }) => ({
      name,
      in: place,
      required,
      schema: bare(schema),
    })),
  }),
  ...(operation.requestBody && {
    requestBody: {
      required: operation.requestBody.required,
      content: bareContent(operation.requestBody.content),
    },
  }),
  responses: Object.fromEntries(
    Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2') || status === '303')
      .map(([status, { content }]) => [
        status,
        { description: '', ...(content && { content: bareContent(content) }) },
      ]),
  ),
  security: operation.security,
  ...(operation['x-permission'] && { 'x-permission': operation['x-permission'] }),
  ...(operation['x-step-up'] && { 'x-step-up': true }),
});

const bareContent = (content: Content): Content =>
  mapValues(content, ({ schema }) => ({ ...(schema && { schema: bare(schema) }) }));

/** A schema without the patterns that its format implies, which are long and change with the library. */
function bare(schema: JsonSchema): JsonSchema {
  const { pattern, description: _text, ...rest } = schema;
  return Object.fromEntries(
    Object.entries({ ...rest, ...(rest.format === undefined && pattern !== undefined && { pattern }) }).map(
      ([name, value]) => {
        if (name === 'properties') return [name, mapValues(value as Record<string, JsonSchema>, bare)];
        if (name === 'items' || (name === 'additionalProperties' && typeof value === 'object'))
          return [name, bare(value as JsonSchema)];
        if (name === 'anyOf' || name === 'oneOf') return [name, (value as JsonSchema[]).map(bare)];
        return [name, value];
      },
    ),
  );
}

/**
 * Why programs and phones that call as the last release taught them could fail on today's calls, as sentences. New calls,
 * new optional parameters, wider requests and new fields of answers are allowed.
 */
export function brokenCalls(released: PromisedCalls, today: PromisedCalls): string[] {
  return Object.entries(released.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, before]) => {
      const call = `${method.toUpperCase()} ${path}`;
      const after = today.paths[path]?.[method];
      return after ? changesOfCall(call, before, after) : [`${call}: the call is gone`];
    }),
  );
}

const changesOfCall = (call: string, before: Operation, after: Operation): string[] => [
  ...changesOfAccess(call, before, after),
  ...changesOfParameters(call, before.parameters ?? [], after.parameters ?? []),
  ...changesOfBody(call, before, after),
  ...changesOfAnswers(call, before, after),
];

function changesOfAccess(call: string, before: Operation, after: Operation): string[] {
  const rolesOf = ({ security }: Operation) => security.flatMap((one) => Object.keys(one));
  const [were, are] = [rolesOf(before), rolesOf(after)];
  const isClosed = were.length === 0 && are.length > 0;
  return [
    ...(isClosed ? [`${call}: only for ${are.join(' and ')} now, was open to everybody`] : []),
    ...were
      .filter((role) => are.length > 0 && !are.includes(role))
      .map((role) => `${call}: no longer for ${role}s`),
    ...(after['x-permission'] && after['x-permission'] !== before['x-permission']
      ? [`${call}: needs the permission ${after['x-permission']} now`]
      : []),
    ...(after['x-step-up'] && !before['x-step-up'] ? [`${call}: asks for the second factor now`] : []),
  ];
}

function changesOfParameters(call: string, before: Parameter[], after: Parameter[]): string[] {
  const find = (all: Parameter[], wanted: Parameter) =>
    all.find((one) => one.name === wanted.name && one.in === wanted.in);
  return [
    ...before.flatMap((parameter) => {
      const its = `${call} ${parameter.in} ${parameter.name}`;
      const now = find(after, parameter);
      if (!now) return [`${its}: the parameter is gone`];
      return [
        ...(now.required && !parameter.required ? [`${its}: is required now`] : []),
        ...schemaChanges(parameter.schema, now.schema, its, 'request'),
      ];
    }),
    ...after
      .filter((parameter) => parameter.required && !find(before, parameter))
      .map(({ in: place, name }) => `${call} ${place} ${name}: is required now`),
  ];
}

function changesOfBody(call: string, before: Operation, after: Operation): string[] {
  const [was, is] = [before.requestBody, after.requestBody];
  if (!is) return was ? [`${call}: takes no body any more`] : [];
  return [
    ...(is.required && !was?.required ? [`${call}: the body is required now`] : []),
    ...(was ? changesOfContent(`${call} request`, was.content, is.content, 'request') : []),
  ];
}

const changesOfAnswers = (call: string, before: Operation, after: Operation): string[] =>
  Object.entries(before.responses).flatMap(([status, { content }]) => {
    const now = after.responses[status];
    if (!now) return [`${call}: no longer answers ${status}`];
    return changesOfContent(`${call} answer`, content ?? {}, now.content ?? {}, 'answer');
  });

const changesOfContent = (path: string, before: Content, after: Content, use: SchemaUse): string[] =>
  Object.entries(before).flatMap(([type, { schema = {} }]) => {
    const now = after[type];
    return now ? schemaChanges(schema, now.schema ?? {}, path, use) : [`${path}: is not ${type} any more`];
  });

const mapValues = <From, To>(object: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
