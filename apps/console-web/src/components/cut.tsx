import { Breakable } from './breakable.js';
import { useIsNarrow } from './use-is-narrow.js';

interface CutProps {
  readonly text: string;
  readonly isCode?: boolean;
  /** What a row is known by, or in a table of few columns. */
  readonly isWide?: boolean;
}

/** Least and greatest width: between them a column takes what the others leave. */
const WIDTH = 'sm:min-w-16 sm:max-w-160';
const GREAT_WIDTH = 'sm:min-w-28 sm:max-w-200';

/** How a name ends that has no room: after a line, or after three where the screen is narrow (`useIsNarrow`). */
const CUT_OFF = 'xl:truncate sm:max-xl:line-clamp-3 sm:max-xl:wrap-anywhere';

/** A text that does not widen its table; what does not fit is cut off and shown on hover. Where the screen is narrow it breaks. */
export function Cut({ text, isCode = false, isWide = false }: CutProps) {
  return (
    <span
      title={text}
      // The track of a grid may be narrower than its text, so that the text does not widen the table.
      className={`sm:grid sm:grid-cols-[minmax(0,1fr)] ${isWide ? GREAT_WIDTH : WIDTH} ${isCode ? 'text-muted font-mono text-xs' : ''}`}
    >
      <span className={CUT_OFF}>{useIsNarrow() ? <Breakable text={text} /> : text}</span>
    </span>
  );
}
