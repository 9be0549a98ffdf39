import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Attributes that people see or hear. */
const SPOKEN = new Set([
  'alt',
  'title',
  'label',
  'placeholder',
  'aria-label',
  'aria-description',
  'hint',
  'note',
]);
const LETTERS = /\p{L}{2,}/u;

export function sourceFiles(folder: string, ...endings: string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
    .filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('test/'))
    .map((file) => join(folder, file));
}

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** Visible or audible text that does not come from the translations. */
export function hardCodedTexts(file: string): string[] {
  const found: string[] = [];
  walk(parse(file), (node) => {
    if (ts.isJsxText(node) && LETTERS.test(node.text) && !isInLatin(node)) found.push(node.text.trim());
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText()) && node.initializer) {
      if (ts.isStringLiteral(node.initializer) && LETTERS.test(node.initializer.text)) {
        found.push(node.initializer.text);
      }
    }
  });
  return found;
}

/** Scientific names are the same in every language. */
const isInLatin = (node: ts.JsxText): boolean =>
  ts.isJsxElement(node.parent) && node.parent.openingElement.tagName.getText() === 'i';

/** Patterns of the keys used in one namespace: any string literal may be a key, and template holes match anything. */
export function keysUsed(folder: string, namespace: string): RegExp[] {
  return [...literalsOf(folder)]
    .map((literal) => literal.replace(new RegExp(`^${namespace}:`), ''))
    .filter((literal) => literal.replace(/\.\+/g, '').length > 1)
    .map((literal) => new RegExp(`^${literal}$`));
}

const known = new Map<string, Set<string>>();

function literalsOf(folder: string): Set<string> {
  const literals = known.get(folder) ?? new Set<string>();
  if (known.has(folder)) return literals;
  known.set(folder, literals);
  for (const file of sourceFiles(folder, '.ts', '.tsx')) {
    walk(parse(file), (node) => {
      if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
        literals.add(escaped(node.text));
      if (ts.isTemplateExpression(node)) literals.add(templatePattern(node));
    });
  }
  return literals;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const templatePattern = (template: ts.TemplateExpression): string =>
  escaped(template.head.text) +
  template.templateSpans.map(({ literal }) => `.+${escaped(literal.text)}`).join('');
