import type { ButtonHTMLAttributes } from 'react';

const KINDS = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'bg-surface text-ink border border-line hover:bg-raised',
  quiet: 'text-muted hover:text-ink hover:bg-raised',
  danger: 'bg-bad text-surface hover:opacity-90',
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: keyof typeof KINDS;
  readonly isSmall?: boolean;
}

export function Button({ kind = 'plain', isSmall = false, className = '', ...rest }: ButtonProps) {
  const size = isSmall ? 'px-2.5 py-1 text-xs' : 'px-3.5 py-2';
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex items-center justify-center gap-1.5 touch:min-h-11 touch:min-w-11 rounded-lg font-medium whitespace-nowrap transition-colors disabled:opacity-50 ${size} ${KINDS[kind]} ${className}`}
    />
  );
}
