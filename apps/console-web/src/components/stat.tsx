import { type ReactNode, useId } from 'react';

interface StatProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly className?: string;
  /** The figure; a grey line stands in its place while it is `undefined` or `false`. */
  readonly children: ReactNode;
}

export function Stat({ title, note, className = '', children }: StatProps) {
  const titleId = useId();
  return (
    <section
      role="group"
      aria-labelledby={titleId}
      className={`border-line bg-surface min-w-0 rounded-xl border p-4 ${className}`}
    >
      <h2 id={titleId} className="text-muted text-xs font-medium">
        {title}
      </h2>
      <div className="mt-1.5 text-xl font-semibold tracking-tight wrap-anywhere tabular-nums">
        {children === undefined || children === false ? (
          <div className="bg-raised h-7 w-20 animate-pulse rounded" />
        ) : (
          children
        )}
      </div>
      {note !== undefined && <p className="text-muted mt-1 truncate text-xs">{note}</p>}
    </section>
  );
}
