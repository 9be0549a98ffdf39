import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import { check, copy, link } from './icons.ts';

const SAID_MS = 4000;

interface Props {
  text: string;
  /** Visible text, or accessible name of the icon-only button. */
  label: string;
  icon?: 'copy' | 'link';
  wordless?: boolean;
}

export function CopyButton({ text, label, icon = 'copy', wordless = false }: Props) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const onClick = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  const button = (words?: string) => (
    <Button
      icon={copied ? check : icon === 'link' ? link : copy}
      aria-label={wordless ? label : undefined}
      onClick={() => void onClick()}
    >
      {words}
    </Button>
  );
  return (
    <>
      {button(wordless ? undefined : copied ? t('copied') : label)}
      <span className="visually-hidden" role="status">
        {copied && t('copied')}
      </span>
    </>
  );
}
