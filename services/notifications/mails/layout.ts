import type { Language } from '@arboleda/contracts/roles.ts';
import type { Content } from './content.ts';
import { type Html, markup, raw } from './html.ts';
import { DARK, LIGHT, SANS, SERIF } from './theme.ts';

/** Sizes and line heights of the product's type. */
const TYPE = {
  serif: raw(`font-family:${SERIF};`),
  title: raw(
    `font-family:${SERIF};font-weight:normal;font-size:34px;line-height:38px;letter-spacing:-0.01em;`,
  ),
  body: raw('font-size:18px;line-height:28px;'),
  least: raw('font-size:14px;line-height:20px;'),
};

const WORDS = {
  en: { motto: 'Native trees, planted in Colombia', link: 'If the button does not work, open this link:' },
  es: { motto: 'Árboles nativos, sembrados en Colombia', link: 'Si el botón no funciona, abre este enlace:' },
};

/** Styles that cannot be inline. Mail programs that drop them show the light, inline ones. */
const STYLES = raw(`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; }
@media (max-width: 480px) {
  .edge { padding-left: 20px !important; padding-right: 20px !important; }
  .title { font-size: 27px !important; line-height: 31px !important; }
  .label { width: 108px !important; }
}
@media (prefers-color-scheme: dark) {
  .paper { background-color: ${DARK.paper} !important; }
  .forest { background-color: ${DARK.forest} !important; }
  .ink { color: ${DARK.ink} !important; }
  .quiet { color: ${DARK.quiet} !important; }
  .leaf { color: ${DARK.leaf} !important; }
  .line { border-color: ${DARK.line} !important; }
  .button { border-color: ${LIGHT.accent} !important; }
}
</style>`);

/** One column, at most 600 px, everything at its left edge; tables because Outlook knows nothing else. */
export function renderHtml(content: Content, language: Language): string {
  const { motto, link } = WORDS[language];
  const { url } = content.action;
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${content.subject}</title>
${STYLES}
</head>
<body class="paper" style="margin:0;padding:0;background-color:${LIGHT.paper};">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${content.preview}</div>
${table('class="paper" width="100%"', `background-color:${LIGHT.paper};`)}
<tr><td align="center">
${table('width="100%"', `max-width:600px;text-align:left;font-family:${SANS};`)}
<tr><td class="forest edge" style="padding:28px 40px 36px;background-color:${LIGHT.forest};">
<p style="margin:0;${TYPE.serif}font-size:20px;line-height:24px;color:${LIGHT.onForest};">Arboleda</p>
<p style="margin:2px 0 36px;${TYPE.least}color:${LIGHT.onForestQuiet};">${motto}</p>
<h1 class="title" style="margin:0;${TYPE.title}color:${LIGHT.onForest};">${content.title}</h1>
</td></tr>
<tr><td class="edge" style="padding:32px 40px 0;">
${content.paragraphs.map(paragraph)}
${button(content.action)}
${rows(content.rows)}
</td></tr>
<tr><td class="edge" style="padding:32px 40px 48px;">
<p class="quiet" style="margin:0 0 8px;${TYPE.least}color:${LIGHT.quiet};">${link}<br>
<a class="leaf" href="${url}" style="color:${LIGHT.leaf};word-break:break-all;">${url}</a></p>
<p class="quiet" style="margin:0;${TYPE.least}color:${LIGHT.quiet};">${content.note}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.html;
}

/** A table that is only there for its place on the page. */
const table = (attributes: string, style: string): Html =>
  raw(`<table role="presentation" ${attributes} cellpadding="0" cellspacing="0" style="${style}">`);

const paragraph = (text: string): Html =>
  markup`<p class="ink" style="margin:0 0 24px;${TYPE.body}color:${LIGHT.ink};">${text}</p>`;

const button = ({ label, url }: Content['action']): Html => markup`${table('', 'margin:0 0 36px;')}
<tr><td style="border-radius:4px;background-color:${LIGHT.accent};">
<a class="button" href="${url}" style="${BUTTON}">${label}</a>
</td></tr>
</table>`;

const BUTTON = raw(
  `display:inline-block;padding:13px 28px;border:1px solid ${LIGHT.accentEdge};border-radius:4px;font-size:18px;` +
    `line-height:24px;font-weight:600;color:${LIGHT.onAccent};text-decoration:none;`,
);

const rows = (facts: Content['rows']): Html => markup`<table class="line" width="100%" ${ROWS}>
${facts.map(
  ([label, value]) => markup`<tr>
<th scope="row" class="label quiet line" width="140" style="${CELL}font-weight:normal;color:${LIGHT.quiet};">${label}</th>
<td class="ink line" style="${CELL}color:${LIGHT.ink};overflow-wrap:anywhere;">${value}</td>
</tr>
`,
)}</table>`;

const ROWS = raw(`cellpadding="0" cellspacing="0" style="border-bottom:1px solid ${LIGHT.line};"`);
const CELL = raw(
  `padding:10px 12px 10px 0;vertical-align:top;text-align:left;border-top:1px solid ${LIGHT.line};` +
    'font-size:16px;line-height:24px;font-variant-numeric:tabular-nums lining-nums;',
);

/** The same words without a layout. */
export function renderText(content: Content, language: Language): string {
  const { action } = content;
  return [
    content.title,
    ...content.paragraphs,
    `${action.label}:\n${action.url}`,
    content.rows.map(([label, value]) => `${label}: ${value}`).join('\n'),
    `--\nArboleda · ${WORDS[language].motto}\n${content.note}`,
  ]
    .join('\n\n')
    .concat('\n');
}
