import type { ColumnRole, StatementDoubt } from '@arboleda/contracts/statement.ts';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { useFormats } from '../../i18n/format.ts';
import styles from './Statements.module.css';
import type { Draft } from './statements.ts';

/** The role that answers a doubt. */
const ANSWERS: Partial<Record<StatementDoubt, ColumnRole>> = {
  'other-account': 'text',
  'other-currency': 'text',
  'two-values': 'direction',
};

/** Why the columns of a file are asked. */
export function Doubts({ draft }: { draft: Draft }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const { doubts = [], columns = [] } = draft;
  if (doubts.length === 0) return null;
  const titleOf = (column: number | undefined) =>
    columns.find((one) => one.column === column)?.title ||
    (column === undefined ? '' : t('layout.column', { number: formats.number(column + 1) }));
  const sentenceOf = ({ kind, line, column, role, text = '' }: (typeof doubts)[number]) => {
    const answer = ANSWERS[kind] ?? role;
    const numbered = line === undefined ? '' : formats.number(line);
    const title = titleOf(column);
    return t(`layout.doubts.${kind}`, {
      line: numbered,
      title: title || (role ? t(`layout.roles.${role}`) : ''),
      text,
      role: answer ? t(`layout.roles.${answer}`) : '',
      where: line === undefined ? title : t('layout.doubts.line', { line: numbered }),
    });
  };
  return (
    <Alert kind="note" label={t('layout.doubts.label')}>
      <ul className={styles.others}>
        {doubts.map((doubt, at) => (
          <li key={at}>{sentenceOf(doubt)}</li>
        ))}
      </ul>
    </Alert>
  );
}
