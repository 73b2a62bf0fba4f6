import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { ApiForm } from '../forms/use-api-form.js';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { type DrawnForm, Form } from './form.js';
import { Dialog, ModalFoot } from './modal.js';

interface FormDialogProps {
  readonly form: DrawnForm & Pick<ApiForm<FieldValues>, 'isDirty' | 'asked'>;
  readonly title: string;
  /** The word on the button that sends it. */
  readonly action: string;
  readonly onClose: () => void;
  /** Whether it shows what cannot be shown again: only its buttons close it from the start. */
  readonly isShownOnce?: boolean;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form over the page. Once something is written only its buttons close it. */
export function FormDialog({ form, title, action, onClose, isShownOnce = false, children }: FormDialogProps) {
  const { actions } = useMessages();
  return (
    <Dialog title={title} onClose={onClose} closedBy={isShownOnce || form.isDirty ? 'button' : 'escape'}>
      <Form
        form={form}
        buttons={
          <ModalFoot>
            <Button onClick={onClose}>{actions.cancel}</Button>
            <Button kind="primary" type="submit" disabled={form.isPending}>
              {action}
            </Button>
          </ModalFoot>
        }
      >
        {children}
      </Form>
      {form.asked && <ConfirmDialog {...form.asked} />}
    </Dialog>
  );
}
