import { useMessages } from '../messages/use-messages.js';
import { type DescribedInput, INPUT } from './field.js';

interface FileInputProps extends DescribedInput {
  /** Endings of the files that may be chosen. */
  readonly accept: string;
  /** Name of the file that is chosen. */
  readonly chosen: string | undefined;
  readonly onChoose: (file: File) => void;
}

/** A file of the reader's machine. The browser's own input speaks its language: it lies unseen over what the page draws. */
export function FileInput({ chosen, onChoose, ...input }: FileInputProps) {
  const { actions } = useMessages();
  return (
    <div
      className={`${INPUT} has-focus-visible:outline-accent relative flex items-center gap-3 has-focus-visible:outline-2`}
    >
      <span className="bg-raised -my-0.5 rounded-md px-3 py-1 font-medium whitespace-nowrap">
        {actions.chooseFile}
      </span>
      <span className={`min-w-0 truncate ${chosen === undefined ? 'text-muted' : ''}`} title={chosen}>
        {chosen ?? actions.noFile}
      </span>
      <input
        {...input}
        type="file"
        className="absolute inset-0 w-full cursor-pointer opacity-0"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onChoose(file);
        }}
      />
    </div>
  );
}
