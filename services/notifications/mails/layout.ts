import type { Language } from '@arboleda/contracts/roles.ts';
import type { Content } from './content.ts';
import { html, type Html, raw } from './html.ts';
import { DARK, LIGHT, SANS, SERIF } from './theme.ts';

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
  .label { width: 104px !important; }
  .action, .action a { display: block !important; text-align: center !important; }
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
  const { action } = content;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>${content.subject}</title>
        ${STYLES}
      </head>
      <body class="paper" style="margin:0;padding:0;background-color:${LIGHT.paper};">
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${content.preview}</div>
        <table
          role="presentation"
          class="paper"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background-color:${LIGHT.paper};"
        >
          <tr>
            <td align="center">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:600px;text-align:left;font-family:${raw(SANS)};"
              >
                <tr>
                  <td class="forest edge" style="padding:28px 40px 36px;background-color:${LIGHT.forest};">
                    <p
                      style="margin:0;font-family:${raw(SERIF)};font-size:20px;line-height:24px;color:${LIGHT.onForest};"
                    >
                      Arboleda
                    </p>
                    <p
                      style="margin:2px 0 36px;font-size:14px;line-height:20px;color:${LIGHT.onForestQuiet};"
                    >
                      ${motto}
                    </p>
                    <h1
                      class="title"
                      style="margin:0;font-family:${raw(SERIF)};font-weight:normal;font-size:34px;line-height:38px;letter-spacing:-0.01em;color:${LIGHT.onForest};"
                    >
                      ${content.title}
                    </h1>
                  </td>
                </tr>
                <tr>
                  <td class="edge" style="padding:32px 40px 0;">
                    ${content.paragraphs.map(paragraph)} ${button(action)} ${rows(content)}
                  </td>
                </tr>
                <tr>
                  <td class="edge" style="padding:32px 40px 48px;">
                    <p
                      class="quiet"
                      style="margin:0 0 8px;font-size:14px;line-height:20px;color:${LIGHT.quiet};"
                    >
                      ${link}<br /><a
                        class="leaf"
                        href="${action.url}"
                        style="color:${LIGHT.leaf};word-break:break-all;"
                        >${action.url}</a
                      >
                    </p>
                    <p class="quiet" style="margin:0;font-size:14px;line-height:20px;color:${LIGHT.quiet};">
                      ${content.note}
                    </p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.html;
}

const paragraph = (text: string): Html =>
  html`<p class="ink" style="margin:0 0 24px;font-size:18px;line-height:28px;color:${LIGHT.ink};">
    ${text}
  </p>`;

const button = ({ label, url }: Content['action']): Html =>
  html`<table role="presentation" class="action" cellpadding="0" cellspacing="0" style="margin:0 0 36px;">
    <tr>
      <td class="action" style="border-radius:4px;background-color:${LIGHT.accent};">
        <a
          class="button"
          href="${url}"
          style="display:inline-block;padding:13px 28px;border:1px solid ${LIGHT.accentEdge};border-radius:4px;font-size:18px;line-height:24px;font-weight:600;color:${LIGHT.onAccent};text-decoration:none;"
          >${label}</a
        >
      </td>
    </tr>
  </table>`;

const CELL = 'padding:10px 0;vertical-align:top;';

const rows = (content: Content): Html =>
  html`<table
    class="line"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    style="border-bottom:1px solid ${LIGHT.line};"
  >
    ${content.rows.map(
      ([label, value]) =>
        html`<tr>
          <th
            scope="row"
            class="label quiet line"
            width="140"
            style="${CELL}border-top:1px solid ${LIGHT.line};text-align:left;font-weight:normal;font-size:16px;line-height:24px;color:${LIGHT.quiet};"
          >
            ${label}
          </th>
          <td
            class="ink line"
            style="${CELL}border-top:1px solid ${LIGHT.line};font-size:16px;line-height:24px;font-variant-numeric:tabular-nums lining-nums;color:${LIGHT.ink};overflow-wrap:anywhere;"
          >
            ${value}
          </td>
        </tr> `,
    )}
  </table>`;

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
