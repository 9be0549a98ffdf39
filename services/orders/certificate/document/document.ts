import type { BinaryReply } from '@arboleda/chassis/http/handlers.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { Readable } from 'node:stream';
import type { FontLibrary } from '../../documents/fonts.ts';
import { type FoundVersion, photoOf } from '../certificate.ts';

export interface CertificateDocuments {
  of(found: FoundVersion, language: Language): Promise<BinaryReply>;
}

const FILE = { en: 'certificate', es: 'certificado' } as const satisfies Record<Language, string>;

/** @param readPhoto a photo as JPEG; undefined when it cannot be had, and the certificate goes without */
export const openDocuments = (parts: {
  fonts: () => Promise<FontLibrary>;
  issuer: { siteUrl: string; name: string };
  readPhoto: (filename: string) => Promise<Buffer | undefined>;
}): CertificateDocuments => ({
  async of(found, language) {
    const { certificate, version, number } = found;
    const filename = photoOf(found);
    const { renderCertificate } = await import('./page.ts');
    const bytes = await renderCertificate(
      {
        certificate,
        version,
        number,
        language,
        siteUrl: parts.issuer.siteUrl,
        issuer: parts.issuer.name,
        photo: filename === undefined ? undefined : await parts.readPhoto(filename),
      },
      await parts.fonts(),
    );
    return {
      contentType: 'application/pdf',
      bytes: Readable.from([bytes]),
      sizeBytes: bytes.length,
      saveAs: `arboleda-${FILE[language]}-${version.code}.pdf`,
    };
  },
});
