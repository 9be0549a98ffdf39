import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { loadChunk } from '../../design/load-chunk.ts';
import { usePage } from '../../layout/use-page.ts';
import { Button } from '../../design/components/Button.tsx';
import { FieldError } from '../../design/components/Field.tsx';
import { upload } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
import { CodeForm } from './CodeForm.tsx';
import type { PdfProblem } from './pdf-code.ts';
import styles from './certificates.module.css';

/** Leads from a code or a PDF to the certificate's page. */
export function VerifyPage() {
  const { t } = useTranslation('certificate');
  usePage(`${t('verify.title')} · Arboleda`);
  return (
    <PublicLayout>
      <div className={`container ${styles.page}`}>
        <header className={styles.head}>
          <h1 className="page-title">{t('verify.title')}</h1>
          <p className="lead">{t('verify.lead')}</p>
        </header>
        <CodeForm />
        <PdfDrop />
      </div>
    </PublicLayout>
  );
}

function PdfDrop() {
  const { t } = useTranslation('certificate');
  const formats = useFormats();
  const navigate = useNavigate();
  const [state, setState] = useState<'reading' | { problem: PdfProblem; limit: string }>();
  const read = async (file: File) => {
    setState('reading');
    const { codeInPdf, MAX_PDF_BYTES } = await loadChunk(() => import('./pdf-code.ts'));
    const found = await codeInPdf(file);
    if ('code' in found) return void navigate(`/c/${found.code}`);
    setState({ ...found, limit: formats.fileSize(MAX_PDF_BYTES) });
  };
  const onDrop = ([file]: File[]) => {
    if (file) void read(file).catch(() => setState({ problem: 'unreadable', limit: '' }));
  };
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    multiple: false,
    // Accepts every file, so that one that is not a PDF gets an explanation.
    onDrop: (accepted, refused) => onDrop([...accepted, ...refused.map(({ file }) => file)]),
  });
  const problem = typeof state === 'object' ? state : undefined;
  return (
    <section aria-labelledby="pdf-title" className={styles.pdf}>
      <h2 id="pdf-title" className="sub-title">
        {t('verify.pdf')}
      </h2>
      <div
        {...getRootProps({
          className: `${styles.drop} ${isDragActive ? styles.over : ''} ${problem ? styles.wrong : ''}`,
        })}
      >
        <input {...getInputProps({ accept: 'application/pdf,.pdf', 'aria-label': t('verify.choose') })} />
        <p className={styles.mouse}>{t('verify.drop')}</p>
        <Button icon={upload} working={state === 'reading' && t('verify.reading')} onClick={open}>
          {t('verify.choose')}
        </Button>
        <p className="small quiet">{t('verify.stays')}</p>
      </div>
      <FieldError>{problem && t(`verify.problem.${problem.problem}`, { size: problem.limit })}</FieldError>
    </section>
  );
}
