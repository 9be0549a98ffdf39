import { MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES } from '@arboleda/contracts/evidence.ts';
import { fieldProblemTitle } from '@arboleda/contracts/problems.ts';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../design/components/Alert.tsx';
import { PhotoInput, type ChosenPhoto } from '../../../design/components/PhotoInput.tsx';
import { useFormats } from '../../../i18n/format.ts';
import { asLanguage } from '../../../i18n/languages.ts';
import { acceptedOf, type Evidence, EVIDENCE_TYPES, type EvidenceRefusal, sharesOf } from './evidence.ts';

interface Props {
  evidence: Evidence;
  share: number | undefined;
  problem: string | undefined;
}

export function EvidenceInput({ evidence, share, problem }: Props) {
  const { t, i18n } = useTranslation('checkout');
  const formats = useFormats();
  const accepted = acceptedOf(evidence.pictures);
  const shares = sharesOf(
    accepted.map(({ file }) => file.size),
    share ?? 0,
  );
  const why = (refusal: EvidenceRefusal): string => {
    if (refusal === 'one-too-many') return t('evidence.oneTooMany', { max: MAX_EVIDENCE_FILES });
    if (refusal === 'chosen-twice') return t('evidence.chosenTwice');
    return fieldProblemTitle(refusal, asLanguage(i18n.language) ?? 'en');
  };
  const photos = evidence.pictures.map((picture): ChosenPhoto => {
    const { id, file, preview, refusal } = picture;
    const shown = { id, name: file.name, size: formats.fileSize(file.size), preview };
    if (refusal) return { ...shown, state: 'refused', words: why(refusal) };
    if (share === undefined) return { ...shown, state: 'ready', words: t('evidence.ready') };
    const gone = shares[accepted.indexOf(picture)] ?? 0;
    if (gone >= 1) return { ...shown, state: 'sent', words: t('evidence.sent') };
    return {
      ...shown,
      state: 'sending',
      share: gone,
      words: t('evidence.sending', { share: formats.percent(Math.floor(gone * 100) / 100) }),
    };
  });
  return (
    <>
      {evidence.isLost && <Alert kind="note">{t('evidence.lost')}</Alert>}
      <PhotoInput
        label={t('evidence.label')}
        hint={t('evidence.hint', {
          max: MAX_EVIDENCE_FILES,
          size: formats.fileSize(MAX_EVIDENCE_BYTES),
        })}
        error={problem}
        texts={{
          take: t('evidence.take'),
          choose: t('evidence.choose'),
          drop: t('evidence.drop'),
          remove: (name) => t('evidence.remove', { name }),
        }}
        accept={EVIDENCE_TYPES}
        photos={photos}
        locked={share !== undefined}
        onAdd={(files) => void evidence.add(files)}
        onRemove={evidence.remove}
      />
    </>
  );
}
