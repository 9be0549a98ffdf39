import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { saveFile } from '../../api/save-file.ts';
import { loadChunk } from '../../design/load-chunk.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { download, images, share } from '../../design/components/icons.ts';
import { formatsOf } from '../../i18n/formats.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { type Certificate, certificateLink, fileNameOf } from './certificates.ts';

/** Why a certificate was revoked, in words. */
export function RevocationReason({ revoked }: { revoked: NonNullable<Certificate['revoked']> }): ReactNode {
  const { t } = useTranslation('certificate');
  if (revoked.cause !== 'admin') return <p>{t(`revoked.${revoked.cause}`)}</p>;
  return revoked.reason && <p dir="auto">{t('revoked.reason', { reason: revoked.reason })}</p>;
}

/** The PDF of a valid certificate, in the certificate's own language. */
export function PdfDownload({ code }: { code: string }) {
  const { t } = useTranslation('certificate');
  const problemText = useProblemText();
  const fetching = useMutation({
    mutationFn: async () =>
      saveFile(
        await call('GET /api/certificates/{code}/document', { params: { code } }),
        fileNameOf(code, 'pdf'),
      ),
  });
  const failed = { failed: t('pdfFailed'), network: t('pdfFailed') };
  return (
    <>
      <Button
        icon={download}
        working={fetching.isPending && t('pdfFetching')}
        onClick={() => fetching.mutate()}
      >
        {t('pdf')}
      </Button>
      {fetching.isError && <Alert kind="wrong">{problemText(fetching.error, failed)}</Alert>}
    </>
  );
}

/** A picture of the certificate by the device's own dialog, or as a download where there is none. */
export function SharePicture({ certificate }: { certificate: Certificate }) {
  const { t, i18n } = useTranslation('certificate');
  const { code, language, trees, name, place } = certificate;
  const isOffered = typeof navigator.share === 'function';
  const drawing = useMutation({
    mutationFn: async () => {
      const { drawCertificate } = await loadChunk(() => import('./certificate-picture.ts'));
      // The picture speaks the certificate's language.
      await i18n.loadLanguages(language);
      const words = i18n.getFixedT(language, 'certificate');
      const formats = formatsOf(language);
      const picture = await drawCertificate({
        title: words('sheet.title'),
        trees: words('sheet.trees', { count: trees }),
        name: name && words('sheet.for', { name }),
        facts: [
          [place, formats.calendarDay(certificate.plantedOn)].filter(Boolean).join(' · '),
          certificate.plantedBy ? words('picture.plantedBy', { name: certificate.plantedBy }) : '',
        ],
        code,
        check: words('picture.check', { address: `${window.location.host}/verify` }),
      });
      const file = new File([picture], fileNameOf(code, 'png'), { type: 'image/png' });
      if (!isOffered) return saveFile(file, file.name);
      const message = { text: words('picture.text', { count: trees }), url: certificateLink(code) };
      const withPicture = { ...message, files: [file] };
      await navigator
        .share(navigator.canShare?.(withPicture) ? withPicture : message)
        .catch((failure: unknown) => {
          // Closing the device's dialog is no failure.
          if (!(failure instanceof DOMException && failure.name === 'AbortError')) saveFile(file, file.name);
        });
    },
  });
  return (
    <>
      <Button
        icon={isOffered ? share : images}
        working={drawing.isPending && t('picture.drawing')}
        onClick={() => drawing.mutate()}
      >
        {t(isOffered ? 'picture.share' : 'picture.download')}
      </Button>
      {drawing.isError && <Alert kind="wrong">{t('picture.failed')}</Alert>}
    </>
  );
}
