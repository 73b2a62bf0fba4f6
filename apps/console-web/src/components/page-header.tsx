import { type ReactNode, useEffect } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Breakable } from './breakable.js';

interface PageHeaderProps {
  readonly title: string;
  readonly text?: string | undefined;
  /** The link to the list that the page belongs to. */
  readonly back?: ReactNode;
  /** Buttons at the end of the line. */
  readonly children?: ReactNode;
}

/** The heading of a view; also the name of the browser's tab. */
export function PageHeader({ title, text, back, children }: PageHeaderProps) {
  const { product } = useMessages();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <header className="mb-6">
      {back !== undefined && <div className="mb-2">{back}</div>}
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-start sm:justify-between">
        <div className={`min-w-0 sm:flex-[1_1_14rem] ${text === undefined ? 'sm:py-1' : ''}`}>
          <h1 className="text-xl font-semibold tracking-tight text-balance wrap-anywhere">
            <Breakable text={title} />
          </h1>
          {text !== undefined && <p className="text-muted mt-1 max-w-4xl text-balance">{text}</p>}
        </div>
        {children !== undefined && <div className="flex flex-wrap gap-2">{children}</div>}
      </div>
    </header>
  );
}
