import type { ReactNode } from 'react';
import { Icon } from '../../design/components/Icon.tsx';
import type { Outline } from '../../design/components/icons.ts';
import shared from './shared.module.css';

export type Tone = 'leaf' | 'brick' | 'pending' | 'plain';

interface Props {
  icon?: Outline;
  tone: Tone;
  as?: 'span' | 'p' | 'li';
  children: ReactNode;
}

/** A state in a word, with its icon and color. */
export const Mark = ({ icon, tone, as: Tag = 'span', children }: Props) => (
  <Tag className={`${shared.mark} ${tone === 'plain' ? '' : shared[tone]}`}>
    {icon && <Icon of={icon} size="small" />}
    {children}
  </Tag>
);
