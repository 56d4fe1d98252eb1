/* Actions that change something. The server decides who may; the page only hides the buttons that the server would
 * refuse. */
import { h } from './preact.module.js';
import { change, reread } from './api.js';
import { Dialog, button, note } from './parts.js';
import { changed, state } from './state.js';
import { cut, dur, n0, parseDuration, plural } from './text.js';

export const mayChange = () => Boolean(state.session?.mayChange);

export function tell(kind, text) {
    state.notice = { kind, text };
    changed();
    const told = state.notice;
    setTimeout(() => {
        if (state.notice !== told || kind === 'failed') return;
        state.notice = null;
        changed();
    }, 8000);
}

const RESULTS = {
    CANCELLED: 'Cancelled: no attempt starts.',
    CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT: 'Cancelled; an earlier attempt may still run.',
    RUNNING: 'It is running: this attempt may end, and no other follows.',
    ALREADY_ENDED: 'It had already ended.',
    CHANGED: 'Done.',
    WAITING: 'It is already waiting: only a FAILED job can be retried.',
    KEY_IN_USE: 'Another unfinished job now has its key.',
};

export function reasonOf(refused) {
    if (refused.status === 403)
        return 'You may look but not change: the server refused the request (403). Your application’s rules for POST and DELETE on this endpoint require another role.';
    return RESULTS[refused.result] || refused.message;
}

async function act(method, path, body, said) {
    try {
        const answer = await change(method, path, body);
        tell('finished', said || RESULTS[answer.result] || 'Done.');
    } catch (refused) {
        tell('failed', reasonOf(refused));
    }
    reread();
}

const JOB = id => 'jobs/' + encodeURIComponent(id);
export const run = id => act('POST', JOB(id), { action: 'run' }, 'It is due now.');
export const retry = id => act('POST', JOB(id), { action: 'retry' }, 'It is due now, and its attempts are counted from the start.');
export const cancel = id => act('DELETE', JOB(id));
export const reschedule = (id, ms) =>
    act('POST', JOB(id), { action: 'reschedule', delay: Math.round(ms) + 'ms' }, `It is due in ${dur(ms)}.`);

export const pause = (kind, name, on, reason) =>
    act(
        'POST',
        `${kind}/${encodeURIComponent(name)}`,
        { action: on ? 'pause' : 'resume', ...(reason ? { reason } : {}) },
        on ? `${name} is paused on all instances; running attempts may end.` : `${name} is resumed.`,
    );

export function ask(draw) {
    state.dialog = draw;
    changed();
}

/**
 * A form in a dialog: Enter confirms, Escape closes.
 *
 * @param label the text of the button that confirms
 * @param more attributes of this button
 */
export const form = (title, close, submit, body, label, { cls = '', ...more } = {}) =>
    h(
        Dialog,
        { title, onClose: close },
        h(
            'form',
            {
                method: 'dialog',
                onSubmit: e => {
                    e.preventDefault();
                    close();
                    submit();
                },
            },
            h('div', { class: 'in' }, body),
            h(
                'footer',
                null,
                button('Leave it', close),
                h('button', { type: 'submit', class: 'btn pri ' + cls, ...more }, label),
            ),
        ),
    );

export const field = (label, set, more) =>
    h(
        'label',
        { class: 'fieldset' },
        h('span', { class: 'l' }, label),
        h('input', { class: 'inp', autocomplete: 'off', spellcheck: false, onInput: e => set(e.target.value), ...more }),
    );

export const noDuration = () =>
    note('failed', 'info', 'That is not a duration.', 'Write a number and a unit: 30 s, 15 m, 2 h, 1 d.');

export function askPause(kind, name) {
    let reason = '';
    const set = text => {
        reason = text;
    };
    ask(close =>
        form(
            `Pause ${name}?`,
            close,
            () => pause(kind, name, true, reason.trim()),
            [
                h(
                    'p',
                    null,
                    'No attempt of ',
                    kind === 'handlers' ? 'this handler' : 'a job in this queue',
                    ' starts on any instance until somebody resumes it, even after restarts and deployments. Running attempts may end.',
                ),
                field('Reason, shown to the others', set, { maxlength: 500, autofocus: true }),
            ],
            'Pause',
        ),
    );
}

const askEnd = (title, submit, text, label) =>
    ask(close => form(title, close, submit, h('p', null, text), label, { cls: 'bad' }));

export const askCancel = (what, submit) =>
    askEnd(
        `Cancel ${what}?`,
        submit,
        'A cancelled job never starts again. A running attempt may end.',
        'Cancel ' + what,
    );

export const askCancelGroup = (name, left) =>
    askEnd(
        `Cancel ${cut(name, 60)}?`,
        () => act('DELETE', 'groups/' + encodeURIComponent(name), null, 'Cancelled.'),
        `${n0(left)} ${plural(left, 'member')} ${plural(left, 'has', 'have')} not ended. They never start again, and the group takes no more. Running attempts may end.`,
        'Cancel the group',
    );

export function askReschedule(what, submit) {
    let text = '1 h';
    const set = typed => {
        text = typed;
        changed();
    };
    ask(close => {
        const ms = parseDuration(text);
        return form(
            `Reschedule ${what}`,
            close,
            () => submit(ms),
            [
                field('Due in', set, { value: text, autofocus: true, 'aria-describedby': 'delay-hint' }),
                h('p', { id: 'delay-hint' }, 'Such as 30 s, 15 m, 2 h or 1 d 12 h.'),
                ms === null && noDuration(),
            ],
            'Reschedule',
            { disabled: ms === null },
        );
    });
}
