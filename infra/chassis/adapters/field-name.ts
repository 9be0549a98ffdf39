/** A field as queries name it: words joined by dots. It becomes part of what an engine is asked. @throws when it is not. */
export function fieldName(field: string): string {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(field) || field.length > 200)
    throw new Error(`"${field}" cannot name a field`);
  return field;
}
