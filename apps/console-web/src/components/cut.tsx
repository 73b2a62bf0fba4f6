import { Breakable } from './breakable.js';
import { useIsPhone } from './use-is-phone.js';

interface CutProps {
  readonly text: string;
  readonly isCode?: boolean;
  /** In a table of few columns. */
  readonly isWide?: boolean;
}

/** A text on one line; what does not fit is cut off and shown on hover. Where the screen is narrow it breaks. */
export function Cut({ text, isCode = false, isWide = false }: CutProps) {
  const width = isWide
    ? 'sm:max-w-48 xl:max-w-64 2xl:max-w-96'
    : 'sm:max-w-36 2xl:max-w-40 min-[112rem]:max-w-72';
  return (
    <span
      title={text}
      className={`sm:block sm:truncate ${width} ${isCode ? 'text-muted font-mono text-xs' : ''}`}
    >
      {useIsPhone() ? <Breakable text={text} /> : text}
    </span>
  );
}
