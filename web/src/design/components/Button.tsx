import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { Icon } from './Icon.tsx';
import type { Outline } from './icons.ts';
import styles from './Button.module.css';

interface Look {
  /** accent: the main action of a view. solid-destructive: the final destructive step. text: a way back. */
  look?: 'accent' | 'secondary' | 'destructive' | 'solid-destructive' | 'text';
  size?: 'small' | 'normal' | 'large';
  wide?: boolean;
  icon?: Outline;
  children?: ReactNode;
}

const classOf = ({ look = 'secondary', size = 'normal', wide }: Look, className = '') =>
  [styles.button, styles[look], styles[size], wide ? styles.wide : '', className].filter(Boolean).join(' ');

type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** Progress text; the button keeps its size and focus and ignores presses. */
    working?: string | false;
  };

export function Button({
  look,
  size,
  wide,
  icon,
  working,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ look, size, wide }, className)}
      aria-disabled={working ? true : undefined}
      onClick={working ? (event) => event.preventDefault() : onClick}
    >
      {working ? <span className={styles.spinner} aria-hidden="true" /> : icon && <Icon of={icon} />}
      {(working || children) && (
        <span aria-live={working === undefined ? undefined : 'polite'}>{working || children}</span>
      )}
    </button>
  );
}

export function ButtonLink({ look, size, wide, icon, children, className, ...rest }: Look & LinkProps) {
  return (
    <Link {...rest} className={classOf({ look, size, wide }, className)}>
      {icon && <Icon of={icon} />}
      <span>{children}</span>
    </Link>
  );
}

/** An external address or an anchor, styled as a button. */
export function ButtonAnchor({
  look,
  size,
  wide,
  icon,
  children,
  className,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} className={classOf({ look, size, wide }, className)}>
      {icon && <Icon of={icon} />}
      <span>{children}</span>
    </a>
  );
}
