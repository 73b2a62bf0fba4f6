import { CopyButton } from './copy-button.js';

/** Text to take along; a line that is too long goes on below. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="bg-raised rounded-lg">
      <div className="text-muted flex justify-end px-1.5 pt-1.5">
        <CopyButton text={text} label={label} />
      </div>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto px-3 pb-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}
