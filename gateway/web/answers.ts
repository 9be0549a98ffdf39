import { chooseEncoding, type Encoding, type Variant, type WebFile } from './files.ts';
import { isFilePath } from './pages.ts';

const YEAR_SECONDS = 31_536_000;
/** Icons and the like: their names stay when their content changes. */
const SHORT_SECONDS = 3_600;
/** An old one in somebody's cache would keep a phone on an old version, or keep alive what was switched off. */
const SERVICE_WORKER = '/sw.js';

/** What is sent of a file in one encoding, made ready once. */
export interface WebAnswer {
  /** As it stands in the header. */
  etag: string;
  /** Names and values in turn: of any answer, and of one that brings the content. */
  head: readonly string[];
  contentHead: readonly string[];
  variant: Variant;
}

/** @returns the answer for who sends this Accept-Encoding */
export type WebAnswers = (acceptEncoding: string | undefined) => WebAnswer;

/** @param path under which it is asked for, or that of a page's file */
export function webAnswers(path: string, file: WebFile): WebAnswers {
  const encodings = Object.keys(file.variants) as Encoding[];
  const prepared = new Map(encodings.map((encoding) => [encoding, prepare(path, file, encoding)]));
  const plain = prepared.get('identity')!;
  return (acceptEncoding) =>
    acceptEncoding === undefined || encodings.length === 1
      ? plain
      : prepared.get(chooseEncoding(file, acceptEncoding))!;
}

function prepare(path: string, file: WebFile, encoding: Encoding): WebAnswer {
  const variant = file.variants[encoding]!;
  const etag = `"${file.etag}-${encoding}"`;
  const isFile = isFilePath(path);
  const isCompressed = Object.keys(file.variants).length > 1;
  const vary = isFile ? (isCompressed ? 'Accept-Encoding' : '') : 'Accept-Encoding, Accept-Language, Cookie';
  const head = [
    ...['ETag', etag, 'Cache-Control', cacheControl(file, isFile && path !== SERVICE_WORKER)],
    // Card fields stand in a frame of the provider's, which may show them in our typeface.
    ...(file.contentType === 'font/woff2' ? ['Access-Control-Allow-Origin', '*'] : []),
    ...(vary ? ['Vary', vary] : []),
  ];
  const content = ['Content-Type', file.contentType, 'Content-Length', String(variant.sizeBytes)];
  const coded = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
  return { etag, head, contentHead: [...head, ...content, ...coded], variant };
}

function cacheControl(file: WebFile, mayBeKept: boolean): string {
  if (!mayBeKept) return 'no-cache';
  return file.immutable ? `public, max-age=${YEAR_SECONDS}, immutable` : `public, max-age=${SHORT_SECONDS}`;
}
