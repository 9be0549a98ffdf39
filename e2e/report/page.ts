const begin = (command: string) => `<!-- begin: ${command} -->`;
const END = '<!-- end -->';

/**
 * The page with one section replaced; the sections of other commands stay.
 * @param page undefined when there is none yet: it begins with `heading` then
 */
export function withSection(
  page: string | undefined,
  heading: string,
  command: string,
  lines: readonly string[],
): string {
  const text = page ?? heading;
  const section = [begin(command), '', ...lines, '', END].join('\n');
  const from = text.indexOf(begin(command));
  if (from < 0) return `${text.trimEnd()}\n\n${section}\n`;
  return text.slice(0, from) + section + text.slice(text.indexOf(END, from) + END.length);
}
