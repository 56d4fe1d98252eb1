/* Changes of many jobs. The page sends requests of 500 jobs each, so that no transaction is long and the change
 * can be stopped. */
import { h } from './preact.module.js';
import { ask as readOnce, change, reread } from './api.js';
import { ask, field, form, noDuration, reasonOf, tell } from './actions.js';
import { bar, button, icon } from './parts.js';
import { changed, state } from './state.js';
import { SECOND, capital, clock, count, dur, instant, n0, parseDuration, plural, simple, when } from './text.js';

const A_CALL = 500,
    LOOK_EVERY = 2 * SECOND,
    LONG_NAME = 60;
const DOING = { retry: 'Retrying', cancel: 'Cancelling', reschedule: 'Rescheduling', run: 'Starting' };
const DONE = { retry: 'retried', cancel: 'cancelled', reschedule: 'rescheduled', run: 'made due' };

export function progress() {
    const { bulk } = state;
    if (!bulk) return null;
    return h(
        'div',
        { class: 'note s-accent', role: 'status' },
        icon('retry'),
        h(
            'div',
            { class: 'grow' },
            h(
                'b',
                null,
                bulk.waiting
                    ? 'One job has been retried; the others follow if it succeeds.'
                    : `${DOING[bulk.action]}: ${n0(bulk.changed)} ${bulk.of ? 'of ' + bulk.of : 'so far'}.`,
            ),
            h(
                'p',
                null,
                bulk.waiting ? 'Waiting for its attempt to end.' : '500 at a time',
                bulk.skipped ? `; ${n0(bulk.skipped)} had already been changed by somebody else` : '',
                '. Keep this page open. If you stop, finished changes stay.',
            ),
            bulk.total ? bar(bulk.changed / bulk.total, 'wide s-accent') : null,
        ),
        button(
            'Stop',
            () => {
                bulk.stopped = true;
            },
            { cls: 's' },
        ),
    );
}

/**
 * The change stays in the store in which it has begun, even if the person chooses another store meanwhile. The result
 * is false if the change was stopped or refused.
 */
async function drive(action, total, of, work, store = state.store) {
    const bulk = (state.bulk = { action, total, of, store, changed: 0, skipped: 0, stopped: false, waiting: false });
    let isDone = false;
    changed();
    try {
        await work(bulk);
        isDone = !bulk.stopped;
        tell(
            'finished',
            `${n0(bulk.changed)} ${plural(bulk.changed, 'job')} ${DONE[action]}` +
                (bulk.skipped ? `, ${n0(bulk.skipped)} left as they were` : '') +
                (bulk.stopped ? '; stopped.' : '.'),
        );
    } catch (refused) {
        tell('failed', `${n0(bulk.changed)} ${DONE[action]}, then: ${reasonOf(refused)}`);
    }
    state.bulk = null;
    reread();
    return isDone;
}

/**
 * All jobs that a filter matches and that the person has seen, evenly over a span.
 *
 * @param total number of these jobs, to share the span among the requests; if it is unknown, each request spreads its
 *     jobs over the whole span
 * @param seenAt store time of the list that the person decided on, in ms
 * @param first id of a job to retry before all others
 */
const changeAll = (action, filter, { total, precision, seenAt, delay = 0, span = 0, first, store }) =>
    drive(action, total, total && count(total, precision), async bulk => {
        const seen = new Date(seenAt).toISOString();
        if (first && !(await succeeds(bulk, first))) return;
        let next,
            done = 0,
            offset = delay;
        do {
            // A call may change fewer jobs than requested. The rest of the span then belongs to the remaining jobs.
            const asked = total ? Math.max(1, Math.min(A_CALL, total - done)) : A_CALL;
            const share = total ? (span * asked) / total : span;
            const timing = delay || span ? { delay: Math.round(offset) + 'ms', spread: Math.round(share) + 'ms' } : {};
            const body = {
                action,
                ...filter,
                seen,
                limit: String(A_CALL),
                ...timing,
                ...(next && { after: next }),
            };
            const answer = await change('POST', 'jobs', body, bulk.store);
            bulk.changed += answer.changed;
            bulk.skipped += answer.skipped;
            done += answer.changed + answer.skipped;
            if (total) offset += share * Math.min(1, (answer.changed + answer.skipped) / asked);
            next = answer.next;
            changed();
        } while (next && !bulk.stopped);
    }, store);

async function succeeds(bulk, id) {
    const failed = await readOnce('jobs/' + id, bulk.store);
    await change('POST', 'jobs/' + id, { action: 'retry' }, bulk.store);
    bulk.changed = 1;
    bulk.waiting = true;
    changed();
    for (;;) {
        await new Promise(resolve => setTimeout(resolve, LOOK_EVERY));
        if (bulk.stopped) return false;
        const { job } = await readOnce('jobs/' + id, bulk.store);
        // A job with a further run does not end.
        if (job.state === 'FINISHED' || job.run > failed.job.run) break;
        if (job.state === 'CANCELLED') throw new Error('the first job was cancelled, so the others were not retried.');
        if (job.state === 'FAILED' || job.failures)
            throw new Error('the first job has failed again, so the others were not retried.');
    }
    bulk.waiting = false;
    return true;
}

/** Changes the chosen jobs, with one request for each. The request gets the id of a job and the store. */
export const changeEach = (action, ids, request) =>
    drive(action, ids.length, n0(ids.length), async bulk => {
        for (const id of ids) {
            if (bulk.stopped) return;
            try {
                await request(id, bulk.store);
                bulk.changed++;
            } catch (refused) {
                if (refused.status !== 409 && refused.status !== 404) throw refused;
                bulk.skipped++;
            }
            changed();
        }
    });

const confirmation = (what, word, set) =>
    field(`Type ${what} to continue`, set, { id: 'typed', autofocus: true, placeholder: word });

const radio = (name, value, chosen, set, label, more) =>
    h(
        'label',
        { class: 'radio', key: value },
        h('input', { type: 'radio', name, checked: chosen[name] === value, onChange: () => set(name, value) }),
        h('span', null, label),
        more,
    );

/** Asks how to retry a group of failures. Earlier failures than those on the page are not retried. */
export function askRetry(group, failures) {
    const precision = failures.complete ? 'EXACT' : 'AT_LEAST',
        seenAt = instant(failures.until),
        since = instant(failures.since);
    const chosen = { way: 'spread', span: '10 m', typed: '' };
    const word = group.name.length > LONG_NAME ? String(group.count) : group.name;
    const set = (name, value) => {
        chosen[name] = value;
        changed();
    };
    const way = (value, label, ...more) => radio('way', value, chosen, set, label, more);
    ask(close => {
        const span = chosen.way === 'spread' ? parseDuration(chosen.span) : 0;
        const ready = chosen.typed.trim() === word && span !== null;
        const submit = () =>
            changeAll(
                'retry',
                {
                    state: 'FAILED',
                    name: group.name,
                    error: group.error,
                    // The page leaves out failures of exactly this time.
                    from: new Date(since + 1).toISOString(),
                },
                { total: group.count, precision, seenAt, span, first: chosen.way === 'first' && group.newest },
            );
        return form(
            `Retry ${n0(group.count)} ${plural(group.count, 'job')}`,
            close,
            submit,
            [
                h(
                    'p',
                    null,
                    h('span', { class: 'clip2', title: group.name }, group.name),
                    ': all that failed with ',
                    h('span', { class: 'clip2', title: group.error }, simple(group.error)),
                    ` from ${when(since, seenAt)} until ${clock(seenAt)}. Other failures are left alone. Each job gets all its attempts anew.`,
                ),
                h(
                    'fieldset',
                    { class: 'fieldset' },
                    h('legend', null, 'When'),
                    way('now', 'all now'),
                    way(
                        'spread',
                        'spread evenly over',
                        h('input', {
                            class: 'inp',
                            size: 6,
                            value: chosen.span,
                            'aria-label': 'Span',
                            onFocus: () => set('way', 'spread'),
                            onInput: e => set('span', e.target.value),
                        }),
                        h('span', { class: 'mut' }, span ? 'one every ' + dur(span / group.count) : ''),
                    ),
                    way('first', 'one job first; the others if it succeeds'),
                ),
                span === null && noDuration(),
                confirmation(word === group.name ? 'the name of the handler' : 'the number of jobs', word, typed =>
                    set('typed', typed),
                ),
            ],
            `Retry ${n0(group.count)}`,
            { disabled: !ready },
        );
    });
}

const VERBS = { retry: 'Retry', reschedule: 'Reschedule', cancel: 'Cancel' };

/**
 * Asks what to do with all jobs that a list may show, on this page and on further ones.
 *
 * @param what the list in words
 * @param filter the fields of the request
 * @param seenAt store time of the list, in ms
 */
export function askMatching(what, filter, seenAt) {
    const isFailed = filter.state === 'FAILED';
    const chosen = { action: isFailed ? 'retry' : 'reschedule', delay: isFailed ? '0 s' : '1 h', span: '10 m', typed: '' };
    const set = (name, value) => {
        chosen[name] = value;
        changed();
    };
    const time = (name, label) => field(label, text => set(name, text), { value: chosen[name] });
    ask(close => {
        const verb = VERBS[chosen.action],
            word = chosen.action + ' all',
            isTimed = chosen.action !== 'cancel';
        const delay = parseDuration(chosen.delay),
            span = parseDuration(chosen.span);
        const isBad = isTimed && (delay === null || span === null);
        const submit = () => changeAll(chosen.action, filter, isTimed ? { seenAt, delay, span } : { seenAt });
        return form(
            `${verb} all that match`,
            close,
            submit,
            [
                h(
                    'p',
                    null,
                    h('b', { class: 'wraps' }, what),
                    `, on this page and on all further pages. Jobs that ${isFailed ? 'have failed' : 'were scheduled'} since ${clock(seenAt)} are left alone.`,
                    isFailed ? ' Each job gets all its attempts anew.' : '',
                    isTimed ? '' : ' A cancelled job never starts again.',
                ),
                !isFailed &&
                    h(
                        'fieldset',
                        { class: 'fieldset' },
                        h('legend', null, 'What'),
                        ['reschedule', 'cancel'].map(action =>
                            radio('action', action, chosen, set, VERBS[action].toLowerCase()),
                        ),
                    ),
                isTimed && [time('delay', 'Due in'), time('span', 'Spread evenly over')],
                isBad && noDuration(),
                confirmation(`“${word}”`, word, typed => set('typed', typed)),
            ],
            verb + ' them',
            { cls: isTimed ? '' : 'bad', disabled: isBad || chosen.typed.trim() !== word },
        );
    });
}

async function cancelAll(name, jobs) {
    const isDone = await changeAll('cancel', { state: 'DELAYED', name }, jobs);
    if (isDone) await changeAll('cancel', { state: 'READY', name }, jobs);
}

export function askCancelAll(name, total, precision, seenAt) {
    let typed = '';
    const word = name.length > LONG_NAME ? 'cancel' : name;
    ask(close =>
        form(
            `Cancel all waiting jobs of ${simple(name)}`.slice(0, 80),
            close,
            () => cancelAll(name, { total, precision, seenAt, store: state.store }),
            [
                h(
                    'p',
                    null,
                    `${capital(count(total, precision))} ${plural(total, 'job')}. A cancelled job never starts again. Jobs scheduled since ${clock(seenAt)} are not cancelled.`,
                ),
                confirmation(word === name ? 'the name of the handler' : '“cancel”', word, text => {
                    typed = text;
                    changed();
                }),
            ],
            'Cancel them',
            { cls: 'bad', disabled: typed.trim() !== word },
        ),
    );
}
