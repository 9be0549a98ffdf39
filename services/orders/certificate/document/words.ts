import { DATE_STYLES, LOCALES } from '@arboleda/contracts/regional-formats.ts';
import type { Language } from '@arboleda/contracts/roles.ts';

/** All texts of a certificate in one language. */
export interface CertificateWords {
  title: string;
  /** Precedes the donor's name. */
  inTheName: string;
  planted(trees: number): string;
  place: string;
  plantedOn: string;
  plantedBy: string;
  completedOn: string;
  growthUpdates: string;
  updates(count: number, lastOn: string): string;
  code: string;
  check: string;
  issued(version: number, day: string): string;
  photo: string;
  qr: string;
  /** @param date "2026-11-21" */
  day(date: string): string;
}

function formats(language: Language) {
  const locale = LOCALES[language];
  return {
    day: (date: string) =>
      new Date(`${date}T12:00:00Z`).toLocaleDateString(locale, { ...DATE_STYLES.day, timeZone: 'UTC' }),
    count: (n: number) => new Intl.NumberFormat(locale).format(n),
  };
}

const en = formats('en');
const es = formats('es');

const WORDS: Record<Language, CertificateWords> = {
  en: {
    title: 'Certificate of planting',
    inTheName: 'In the name of',
    planted: (trees) =>
      trees === 1
        ? 'One native tree was planted in Colombia.'
        : `${en.count(trees)} native trees were planted in Colombia.`,
    place: 'Place',
    plantedOn: 'Planted on',
    plantedBy: 'Planted by',
    completedOn: 'Completed on',
    growthUpdates: 'Growth updates',
    updates: (count, lastOn) => (count === 1 ? lastOn : `${en.count(count)}, the last on ${lastOn}`),
    code: 'Code',
    check: 'Anyone can check this certificate:',
    issued: (version, day) => `Version ${version}, issued on ${day}`,
    photo: 'Photo of the planting',
    qr: 'QR code of the page that checks this certificate',
    day: en.day,
  },
  es: {
    title: 'Certificado de siembra',
    inTheName: 'A nombre de',
    planted: (trees) =>
      trees === 1
        ? 'Se sembró un árbol nativo en Colombia.'
        : `Se sembraron ${es.count(trees)} árboles nativos en Colombia.`,
    place: 'Lugar',
    plantedOn: 'Fecha de siembra',
    plantedBy: 'Sembrado por',
    completedOn: 'Completado el',
    growthUpdates: 'Novedades de crecimiento',
    updates: (count, lastOn) => (count === 1 ? lastOn : `${es.count(count)}, la última el ${lastOn}`),
    code: 'Código',
    check: 'Cualquier persona puede verificar este certificado:',
    issued: (version, day) => `Versión ${version}, emitida el ${day}`,
    photo: 'Foto de la siembra',
    qr: 'Código QR de la página que verifica este certificado',
    day: es.day,
  },
};

export const certificateWords = (language: Language): CertificateWords => WORDS[language];
