import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** What to do so that something stands here. */
  readonly text: string;
  /** Whether it is all of the page. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

export function EmptyState({ title, text, isPage = false, children }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <Title className="font-medium">{title}</Title>
      <p className="text-muted max-w-md">{text}</p>
      {children !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
