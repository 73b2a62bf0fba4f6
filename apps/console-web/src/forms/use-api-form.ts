import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import {
  type DefaultValues,
  type FieldError,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  type Path,
  type PathValue,
  type Resolver,
  useForm,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import type { ConfirmDialogProps } from '../components/confirm-dialog.js';
import { useFaults } from '../components/error-notice.js';
import type { BoundChoice, BoundField } from '../components/form-fields.js';
import { useFaultWords } from '../messages/use-fault-words.js';
import { findField } from './find-field.js';
import { useSubmission } from './use-submission.js';
import './no-eval.js';

/** Of a field's error: the API said it, in words that are its own. */
const REFUSED = 'refused';

type Schema<Texts, Sent> = z.ZodMiniType<Sent, Texts>;
type Question = Pick<ConfirmDialogProps, 'title' | 'text' | 'action'>;

interface ApiFormOptions<Texts, Sent> {
  /** What the fields hold at first. They are named as the API names what they are about. */
  readonly texts: NoInfer<Texts>;
  /** What the fields may hold, and what is sent of it; by what they hold where that decides which fields are shown. */
  readonly schema: Schema<Texts, Sent> | ((texts: Texts) => Schema<Texts, Sent>);
  readonly send: (sent: Sent) => Promise<unknown>;
  /** What a toast tells once it was sent, where nothing else shows that. */
  readonly done?: ((sent: Sent) => string) | undefined;
  readonly onDone?: (() => void) | undefined;
  /** What to ask before it is sent; nothing by default. */
  readonly question?: (sent: Sent) => Question | undefined;
}

/** A form whose fields are checked before it is sent; what the API refuses stands at the field that it names. */
export type ApiForm<Texts extends FieldValues> = ReturnType<typeof useApiForm<Texts, unknown>>;

/**
 * A form that is sent to the API.
 *
 * @returns what `Form` draws; `field`, `choice` and `read` are for its fields.
 */
export function useApiForm<Texts extends FieldValues, Sent>(options: ApiFormOptions<Texts, Sent>) {
  const [asked, setAsked] = useState<Question & { readonly sent: Sent }>();
  const form = useForm<Texts, unknown, Sent>({
    defaultValues: options.texts as DefaultValues<Texts>,
    resolver: toResolver(options.schema),
    // `Form` does it, for what the API refuses as well.
    shouldFocusError: false,
  });
  const submission = useSubmission<Sent>({
    ...options,
    showAtField: (param) => {
      const name = findField(form.getValues(), param);
      if (name) form.setError(name as FieldPath<Texts>, { type: REFUSED });
      return Boolean(name);
    },
  });
  const { errors, isDirty, isSubmitting, submitCount } = form.formState;
  const sayRefusal = useFaults(submission.error);
  const sayFault = useFaultWords();
  const faultOf = (name: string) => {
    const error: FieldError | undefined = get(errors, name);
    return error?.type === REFUSED ? sayRefusal(name) : error?.message && sayFault(error.message);
  };
  const write = (name: FieldPath<Texts>, text: string) =>
    form.setValue(name, text as PathValue<Texts, Path<Texts>>, {
      shouldDirty: true,
      // As writing in an input does.
      shouldValidate: submitCount > 0,
    });
  return {
    isDirty,
    isPending: isSubmitting || submission.isPending,
    /** Why it was not sent, where no field that is shown says so. */
    error: submission.error,
    /** Whether a field was named by it. */
    isAtField: submission.isAtField,
    /** Changes with each attempt to send it, once what is wrong is known. */
    attempt: `${submitCount} ${submission.refusals}`,
    asked: asked && {
      ...asked,
      onClose: () => setAsked(undefined),
      onConfirm: () => submission.submit(asked.sent),
    },
    submit: form.handleSubmit(
      async (sent) => {
        const toAsk = options.question?.(sent);
        submission.reset();
        if (toAsk) setAsked({ ...toAsk, sent });
        else await submission.submit(sent);
      },
      () => submission.reset(),
    ),
    /** What an input is spread with. */
    field: (name: FieldPath<Texts>): BoundField => ({ input: form.register(name), fault: faultOf(name) }),
    /** The same for what is chosen otherwise than by an input of the browser. */
    choice: (name: FieldPath<Texts>): BoundChoice => ({
      value: form.watch(name),
      onPick: (id) => write(name, id),
      fault: faultOf(name),
    }),
    /** What a field holds, where others depend on it. */
    read: <Name extends FieldPath<Texts>>(name: Name): FieldPathValue<Texts, Name> => form.watch(name),
    write,
    /** Empties a field that is written in again, and says nothing of its being empty. */
    empty: (name: FieldPath<Texts>) => form.setValue(name, '' as PathValue<Texts, Path<Texts>>),
    reset: () => form.reset(),
  };
}

function toResolver<Texts extends FieldValues, Sent>(
  schema: ApiFormOptions<Texts, Sent>['schema'],
): Resolver<Texts, unknown, Sent> {
  return (texts, context, options) => {
    const known = typeof schema === 'function' ? schema(texts) : schema;
    return zodResolver<Texts, unknown, Sent>(known)(texts, context, options);
  };
}
