import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiProblem } from '../api/problem.ts';

/**
 * Shows the server's field problems beside their fields and focuses the first.
 * @param names form fields by API field, where they differ
 * @returns whether every problem was shown
 */
export function showFieldProblems<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  names: Record<string, Path<Values>> = {},
): boolean {
  const fields = error instanceof ApiProblem ? error.fields : [];
  let shown = 0;
  for (const { path, message } of fields) {
    const name = names[path] ?? (path as Path<Values>);
    if (!(name in form.getValues())) continue;
    form.setError(name, { message }, { shouldFocus: shown === 0 });
    shown += 1;
  }
  return fields.length > 0 && shown === fields.length;
}
