import type { Response } from 'express';

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** A strict policy: frames load only their own files. The shop's fonts may come from anywhere. */
export function pageHeaders(
  res: Response,
  { framed, status = 200 }: { framed: boolean; status?: number },
): void {
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    'font-src *',
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ...(framed ? [] : ["frame-ancestors 'none'"]),
  ];
  res
    .status(status)
    .type('html')
    .set({
      'Content-Security-Policy': rules.join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
}

interface FramePage {
  title: string;
  script: string;
  style: string;
  body: string;
  lang?: string;
  /** Passed to the page's script as data attributes of the body. */
  data?: Record<string, string>;
  /** Scripts loaded before the page's own. */
  before?: string;
}

export const framePage = ({
  title,
  script,
  style,
  body,
  lang = 'en',
  data = {},
  before = '',
}: FramePage): string => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/elements/${style}">
${before}<script type="module" src="/elements/${script}"></script>
</head>
<body${Object.entries(data)
  .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  .join('')}>${body}</body>
</html>
`;
