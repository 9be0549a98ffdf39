/** Text that is HTML already. Only `markup` and `raw` make it. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[];

export const raw = (text: string): Html => ({ html: text });

/** A template that escapes every value that is put into it, unless it was made by this template itself. */
export const markup = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  raw(strings.reduce((text, part, at) => text + insert(values[at - 1]!) + part));

function insert(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
