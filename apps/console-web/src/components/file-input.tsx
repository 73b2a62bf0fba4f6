import { type ComponentProps, useState } from 'react';
import { INPUT } from './field.js';

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  /** What the button says. */
  readonly choose: string;
  /** What stands beside it until a file is chosen. */
  readonly none: string;
  readonly onFile: (file: File) => void;
}

/** A field for one file, in the language of the page: browsers name the button of their own in theirs. */
export function FileInput({ choose, none, onFile, ...rest }: FileInputProps) {
  const [name, setName] = useState<string>();
  return (
    <span
      className={`${INPUT} focus-within:border-accent focus-within:outline-accent relative flex items-center gap-3 focus-within:outline-2`}
    >
      <span className="bg-raised shrink-0 rounded-md px-3 py-1 font-medium" aria-hidden>
        {choose}
      </span>
      <span className="text-muted min-w-0 truncate">{name ?? none}</span>
      <input
        {...rest}
        type="file"
        className="absolute inset-0 w-full cursor-pointer opacity-0"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (!file) return;
          setName(file.name);
          onFile(file);
        }}
      />
    </span>
  );
}
