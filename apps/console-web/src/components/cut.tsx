interface CutProps {
  readonly text: string;
  readonly isCode?: boolean;
}

/** A text on one line; what does not fit is cut off and shown on hover. Where the screen is narrow it may break. */
export function Cut({ text, isCode = false }: CutProps) {
  return (
    <span
      title={text}
      className={`sm:block sm:max-w-36 sm:truncate 2xl:max-w-40 min-[112rem]:max-w-72 ${isCode ? 'text-muted font-mono text-xs' : ''}`}
    >
      {text}
    </span>
  );
}
