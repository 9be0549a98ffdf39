import { LANGUAGES, type Language } from '@arboleda/contracts/roles.ts';
import Handlebars from 'handlebars';
import { type MailKind, type WrittenMail, writeMail } from '../mails/index.ts';
import { isNews, MAIL_KINDS, SAMPLES } from '../mails/kinds.ts';

/** Same length as a real token. */
const NEWS_TOKEN = 'aB3dE5fG7hJ9kL1mN3pQ5r';

const sample = (kind: MailKind, language: Language, siteUrl: string): WrittenMail =>
  writeMail(
    // A gift goes to the friend of the buyer.
    { kind, facts: SAMPLES[kind], to: { name: kind === 'gift' ? 'Mateo Ríos' : 'Lucía Peña', language } },
    siteUrl,
    isNews(kind) ? NEWS_TOKEN : undefined,
  );

const LIST = Handlebars.compile<object>(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Mails</title>
<style>body{font:16px/1.5 sans-serif;margin:2rem;max-width:60rem}td,th{text-align:left;padding:.2rem 1.5rem .2rem 0}</style>
</head><body><h1>Mails</h1><p>Every kind in every language, with made-up facts.</p><table>
{{#each mails}}<tr><th scope="row">{{kind}}</th><td>{{language}}</td><td><a href="{{path}}.html">{{subject}}</a></td><td><a href="{{path}}.txt">text</a></td></tr>
{{/each}}</table></body></html>`);

/** The preview of a path; undefined for an unknown one. */
export function previewPage(
  path: string,
  siteUrl: string,
): { contentType: string; body: string } | undefined {
  const html = (body: string) => ({ contentType: 'text/html; charset=utf-8', body });
  if (path === '/') return html(LIST({ mails: listed(siteUrl) }));
  const found = /^\/([\w-]+)\.(\w+)\.(html|txt)$/.exec(path);
  const kind = MAIL_KINDS.find((one) => one === found?.[1]);
  const language = LANGUAGES.find((one) => one === found?.[2]);
  if (!kind || !language) return undefined;
  const mail = sample(kind, language, siteUrl);
  return found![3] === 'html'
    ? html(mail.html)
    : { contentType: 'text/plain; charset=utf-8', body: mail.text };
}

const listed = (siteUrl: string) =>
  MAIL_KINDS.flatMap((kind) =>
    LANGUAGES.map((language) => ({
      kind,
      language,
      path: `/${kind}.${language}`,
      subject: sample(kind, language, siteUrl).subject,
    })),
  );
