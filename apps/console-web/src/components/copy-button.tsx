import { useEffect, useState } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Icon } from './icon.js';

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for readers who do not see it. */
  readonly label?: string;
  readonly isWide?: boolean;
}

export function CopyButton({ text, label, isWide = false }: CopyButtonProps) {
  const { actions } = useMessages();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const name = isCopied ? actions.copied : actions.copy;
  return (
    <button
      type="button"
      aria-label={label === undefined ? name : `${name}: ${label}`}
      title={name}
      className={`inline-flex items-center gap-1.5 rounded-md text-current hover:opacity-70 ${isWide ? 'border-line bg-surface touch:min-h-11 border px-3 py-2 font-medium' : 'touch:-my-2.5 touch:-ml-2.5 touch:p-3.5 p-1'}`}
      onClick={() => {
        void writeToClipboard(text).then(() => setCopied(true));
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {isWide && name}
      <span role="status" className="sr-only">
        {isCopied ? actions.copied : ''}
      </span>
    </button>
  );
}

/** Browsers offer the clipboard over HTTPS and on this machine only; elsewhere a hidden field is copied from. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  return undefined;
}
