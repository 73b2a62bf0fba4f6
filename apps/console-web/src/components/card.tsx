import type { ReactNode } from 'react';

interface CardProps {
  readonly title?: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A link at the end of a card. What a finger needs of it beyond its text is in the room below. */
export const CARD_LINK =
  'text-accent touch:mt-0 touch:-mb-3 touch:min-h-11 touch:min-w-11 touch:content-center mt-3 inline-block font-medium';

/** A raised area with an optional heading. */
export function Card({ title, note, children, className = '' }: CardProps) {
  return (
    <section className={`border-line bg-surface rounded-xl border p-4 sm:p-5 ${className}`}>
      {title !== undefined && <h2 className="text-sm font-semibold">{title}</h2>}
      {note !== undefined && <p className="text-muted mt-0.5 text-xs text-balance">{note}</p>}
      {title === undefined ? children : <div className="mt-4">{children}</div>}
    </section>
  );
}
