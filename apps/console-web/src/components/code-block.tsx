import { CopyButton } from './copy-button.js';

interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
  /** Whether its lines mean something: they are moved sideways then, and not broken. */
  readonly isProgram?: boolean;
}

/** Text to take along; a line that is too long goes on below. */
export function CodeBlock({ text, label, isProgram = false }: CodeBlockProps) {
  return (
    <div className="bg-raised relative rounded-lg">
      <div className="text-muted bg-raised absolute top-2 right-2 rounded-md">
        <CopyButton text={text} label={label} />
      </div>
      <pre
        tabIndex={0}
        aria-label={label}
        className={`max-h-96 overflow-auto py-3 pl-3 font-mono text-xs leading-5 ${isProgram ? 'mr-11 whitespace-pre' : 'pr-11 wrap-anywhere whitespace-pre-wrap'}`}
      >
        {text}
      </pre>
    </div>
  );
}
