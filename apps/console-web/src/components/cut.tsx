import { Breakable } from './breakable.js';
import { useIsPhone } from './use-is-phone.js';

interface CutProps {
  readonly text: string;
  readonly isCode?: boolean;
  /** What a row is known by, or in a table of few columns. */
  readonly isWide?: boolean;
}

/** Where a table has all of its columns: as wide as there is room for when each of the others is full. */
const WIDTH = 'sm:max-w-36 @4xl:max-w-[clamp(5.5rem,25cqw_-_9rem,18rem)]';
const GREAT_WIDTH = 'sm:max-w-48 @4xl:max-w-[clamp(8rem,40cqw_-_15rem,24rem)]';

/** A text on one line; what does not fit is cut off and shown on hover. Where the screen is narrow it breaks. */
export function Cut({ text, isCode = false, isWide = false }: CutProps) {
  return (
    <span
      title={text}
      className={`sm:block sm:truncate ${isWide ? GREAT_WIDTH : WIDTH} ${isCode ? 'text-muted font-mono text-xs' : ''}`}
    >
      {useIsPhone() ? <Breakable text={text} /> : text}
    </span>
  );
}
