import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import { check, copy, link } from './icons.ts';

const SAID_MS = 4000;

interface Props {
  text: string;
  /** What it copies, for a button with these words; an icon alone when `label` is only for screen readers. */
  label: string;
  icon?: 'copy' | 'link';
  wordless?: boolean;
}

/** Copies a text and says so in its own place. */
export function CopyButton({ text, label, icon = 'copy', wordless = false }: Props) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const onClick = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  const words = copied ? t('copied') : label;
  return (
    <Button icon={copied ? check : icon === 'link' ? link : copy} onClick={() => void onClick()}>
      <span aria-live="polite" className={wordless ? 'visually-hidden' : undefined}>
        {words}
      </span>
    </Button>
  );
}
