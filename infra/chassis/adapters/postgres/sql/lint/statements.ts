/** Where something begins and ends in which semicolons, commas and words mean nothing. */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;

/** Comments go; what is quoted stays, but says nothing to whoever looks for words. */
const plain = (sql: string): string =>
  sql.replace(OPAQUE, (found) => {
    if (found.startsWith('--') || found.startsWith('/*')) return ' ';
    return found.startsWith('"') ? found : "''";
  });

/** The statements of a migration: lower case, single spaces, without comments and with what is quoted left out. */
export const plainStatements = (sql: string): string[] =>
  plain(sql)
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');

/** The parts between commas that stand outside of brackets. */
export function clauses(list: string): string[] {
  const found: string[] = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(' || letter === '[') depth++;
    if (letter === ')' || letter === ']') depth--;
    if (letter === ',' && depth === 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found.map((clause) => clause.trim());
}
