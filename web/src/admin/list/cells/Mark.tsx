import type { ReactNode } from 'react';
import { Icon } from '../../../design/components/Icon.tsx';
import type { Outline } from '../../../design/components/icons.ts';
import shared from '../../shared/shared.module.css';

export type Tone = 'leaf' | 'brick' | 'pending' | 'plain';

/** A state in a word, with its icon and color. */
export const Mark = ({ icon, tone, children }: { icon?: Outline; tone: Tone; children: ReactNode }) => (
  <span className={`${shared.mark} ${tone === 'plain' ? '' : shared[tone]}`}>
    {icon && <Icon of={icon} size="small" />}
    {children}
  </span>
);
