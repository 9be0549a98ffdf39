import {
  FIELD_PROBLEMS,
  type FieldFault,
  type FieldProblemType,
  Problem,
} from '@arboleda/contracts/problems.ts';
import type { z } from 'zod';

/** Forms have fewer fields; this bounds the answer to hostile input. */
const MAX_FAULTS = 50;

/** Parses a part of a request. @throws Problem `validation-failed` that names each invalid field */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Problem('validation-failed', { fields: firstOfEach(result.error.issues.map(fault)) });
}

const fault = (issue: z.core.$ZodIssue): FieldFault => ({ path: issue.path.join('.'), type: kind(issue) });

function firstOfEach(faults: readonly FieldFault[]): FieldFault[] {
  const byPath = new Map(faults.toReversed().map((each) => [each.path, each]));
  return [...byPath.values()].toReversed().slice(0, MAX_FAULTS);
}

function kind(issue: z.core.$ZodIssue): FieldProblemType {
  switch (issue.code) {
    case 'invalid_type':
      if (isEmpty(issue.input)) return 'required';
      return issue.expected === 'int' ? 'not-an-integer' : 'invalid';
    case 'too_small':
      if (issue.origin !== 'string') return 'too-small';
      return isEmpty(issue.input) || issue.minimum === 1 ? 'required' : 'too-short';
    case 'too_big':
      return issue.origin === 'string' ? 'too-long' : 'too-big';
    case 'invalid_value':
      return isMissing(issue.input) ? 'required' : 'unknown-value';
    case 'invalid_format':
      if (isEmpty(issue.input)) return 'required';
      return issue.format === 'email' ? 'invalid-email' : 'invalid';
    case 'custom':
      return named(issue.params?.problem) ?? 'invalid';
    default:
      return 'invalid';
  }
}

/** A refinement may name its own problem. */
const named = (problem: unknown): FieldProblemType | undefined =>
  Object.keys(FIELD_PROBLEMS).find((type): type is FieldProblemType => type === problem);

const isMissing = (input: unknown): boolean => input === undefined || input === null;
const isEmpty = (input: unknown): boolean => isMissing(input) || input === '';
