import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Operation, Schema } from '../operation.ts';

/** Says what is wrong with an answer; undefined when it is as the description promises. */
export type JudgeAnswer = (
  operation: Operation,
  answer: { status: number; contentType: string; text: string },
) => string | undefined;

/** Holds answers to an OpenAPI document: the status is described, so is the media type, and JSON is of its schema. */
export function openJudge(schemas: Record<string, Schema>): JudgeAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`);
  const compiled = new WeakMap<Schema, ValidateFunction>();
  const validatorOf = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, known);
    return known;
  };

  return (operation, { status, contentType, text }) => {
    if (status >= 500) return `${status}: ${text.slice(0, 500)}`;
    const contents =
      status === 206 || status === 304 ? operation.answers.get(200) : operation.answers.get(status);
    if (!contents) return `${status} is not described: ${text.slice(0, 300)}`;
    const type = contentType.split(';')[0]!;
    if (contents.size === 0 || status === 304)
      return text === '' ? undefined : `${status} has a body: ${text.slice(0, 100)}`;
    const schema = contents.get(type);
    if (!schema) return `${status} is of type ${type}, described are ${[...contents.keys()].join(', ')}`;
    if (!/\bjson$/.test(type)) return undefined;
    const validate = validatorOf(schema);
    if (validate(JSON.parse(text))) return undefined;
    return `${status} is not of its schema: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`;
  };
}
