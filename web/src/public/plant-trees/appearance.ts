import type { Appearance } from '@stripe/stripe-js';

/** Passes the page's design tokens to Stripe's frame. */
export function cardAppearance(page: Element = document.documentElement): Appearance {
  const style = getComputedStyle(page);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    theme: 'flat',
    labels: 'above',
    variables: {
      colorPrimary: token('leaf'),
      colorBackground: token('surface'),
      colorText: token('ink'),
      colorTextSecondary: token('ink-quiet'),
      colorTextPlaceholder: token('ink-quiet'),
      colorDanger: token('brick'),
      fontFamily: '"Source Sans 3", system-ui, sans-serif',
      fontSizeBase: '18px',
      borderRadius: '4px',
      spacingUnit: '5px',
    },
    rules: {
      '.Label': { fontSize: '16px', fontWeight: '600', color: token('ink') },
      '.Input': { border: `1px solid ${token('edge')}`, boxShadow: 'none', padding: '11px 14px' },
      '.Input:focus': {
        borderColor: token('focus'),
        outline: `2px solid ${token('focus')}`,
        boxShadow: 'none',
      },
      '.Input--invalid': { borderColor: token('brick-edge'), boxShadow: 'none' },
    },
  };
}
