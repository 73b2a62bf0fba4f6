import type { ButtonHTMLAttributes } from 'react';

/** All with an edge, so that they are of one height beside each other. */
const KINDS = {
  primary: 'bg-accent text-on-accent border border-transparent hover:opacity-90',
  plain: 'bg-surface text-ink border border-line hover:bg-raised',
  /** Leads to a question before something that cannot be undone. */
  dangerOutline: 'bg-surface text-bad border border-line hover:bg-bad-soft',
  quiet: 'text-muted border border-transparent hover:text-ink hover:bg-raised',
  danger: 'bg-bad text-surface border border-transparent hover:opacity-90',
} as const;

const SHAPE =
  'inline-flex items-center justify-center gap-1.5 touch:min-h-11 touch:min-w-11 rounded-lg font-medium whitespace-nowrap transition-colors';
const SIZE = 'px-3.5 py-2';

/** A link that stands where a button would. */
export const LINK_BUTTON = `${SHAPE} ${SIZE} ${KINDS.plain}`;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: keyof typeof KINDS;
  readonly isSmall?: boolean;
}

export function Button({ kind = 'plain', isSmall = false, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${SHAPE} disabled:opacity-50 ${isSmall ? 'px-2.5 py-1 text-xs' : SIZE} ${KINDS[kind]} ${className}`}
    />
  );
}
