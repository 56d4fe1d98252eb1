/* One job: what will happen, what has happened, and why it does not run. */
import { h } from './preact.module.js';
import { askCancel, askReschedule, cancel, mayChange, reschedule, retry, run, tell } from './actions.js';
import { read } from './api.js';
import { Fluid, chart } from './charts.js';
import {
    button,
    card,
    copy,
    empty,
    errorName,
    facts,
    icon,
    iconButton,
    instanceByNumber,
    instanceName,
    jobLink,
    link,
    loaded,
    nameOfNumber,
    note,
    stale,
    stateOf,
    stateText,
    time,
    trace,
} from './parts.js';
import { now, search } from './state.js';
import {
    SECOND,
    clock,
    cut,
    dur,
    full,
    instant,
    late,
    measured,
    millis,
    n0,
    ordinal,
    plural,
    relative,
    terms,
    when,
} from './text.js';

const UNFINISHED = ['DELAYED', 'READY', 'RUNNING', 'AWAITING'];

export function draw(query) {
    const id = query.get('id') || '',
        entry = read('job-' + id, 'jobs/' + encodeURIComponent(id), 5 * SECOND),
        crumb = ['Jobs', '?jobs'];
    if (entry.error?.status === 404 || entry.error?.status === 400) {
        return {
            title: 'Job',
            crumb,
            body: h(
                'section',
                { class: 'card' },
                empty(
                    'search',
                    'No such job',
                    'It does not exist, or its history has been purged.',
                    link('?jobs', { class: 'btn' }, 'Jobs'),
                ),
            ),
        };
    }
    if (!entry.value)
        return {
            title: 'Job',
            crumb,
            body: h(
                'section',
                { class: 'card' },
                loaded(entry, () => null, 8),
            ),
        };
    const { job } = entry.value;
    return {
        title: cut(job.name, 80),
        crumb,
        body: [
            head(entry.value, entry),
            h(
                'div',
                { class: 'cols', key: 'cols' },
                h('div', { class: 'c8 stack' }, happened(entry.value), attempts(entry.value)),
                h(
                    'div',
                    { class: 'c4 stack' },
                    why(entry.value),
                    factsCard(entry.value),
                    log(entry.value),
                    next(entry.value),
                    payload(entry.value),
                ),
            ),
        ],
    };
}

/* ---- the headline */
function headline({ job, retriesLeft }) {
    const due = instant(job.dueAt),
        end = job.endedAt && instant(job.endedAt),
        last = retriesLeft === 0;
    const nth = job.failures ? `${ordinal(job.failures + 1)}${last ? ' and last' : ''} attempt` : null;
    const em = text => h('em', { class: 's-' + stateOf(job).toLowerCase() }, text);
    switch (job.state) {
        case 'DELAYED':
            return [
                nth ? nth + ' in ' : job.run > 1 ? `Run ${n0(job.run)} starts in ` : 'Starts in ',
                em(dur(Math.max(0, due - now()))),
            ];
        case 'READY':
            return [
                'Due for ',
                em(dur(Math.max(0, now() - due))),
                job.paused ? ', and paused' : ', and not started yet',
            ];
        case 'RUNNING':
            return [
                nth ? nth + ' runs since ' : 'Runs since ',
                em(dur(Math.max(0, now() - instant(job.calledAt || job.startedAt || job.dueAt)))),
            ];
        case 'AWAITING':
            return ['Awaits an answer for another ', em(dur(Math.max(0, due - now())))];
        case 'FINISHED':
            return ['Finished ', em(dur(now() - end)), ' ago'];
        case 'FAILED':
            return ['Failed for good ', em(dur(now() - end)), ' ago'];
        default:
            return ['Cancelled ', em(dur(now() - end)), ' ago'];
    }
}

function consequence({ job, retriesLeft }) {
    if (job.cancelRequested) return 'A cancellation was requested: no attempt follows this one.';
    if (job.state === 'FAILED') return 'It does not start again unless somebody retries it.';
    if (!UNFINISHED.includes(job.state)) return job.state === 'CANCELLED' ? 'None of its attempts will start.' : '';
    if (retriesLeft === 0)
        return job.failures ? 'If that fails too, the job is FAILED.' : 'If that fails, the job is FAILED.';
    return retriesLeft > 0
        ? `If that fails, ${n0(retriesLeft)} ${plural(retriesLeft, 'retry follows', 'retries follow')}.`
        : '';
}

function curlOf(job) {
    const url = new URL('../jobs/' + job.id, location.href).href;
    return `curl -s '${url}'`;
}

const copied = (text, what) =>
    copy(text).then(
        () => tell('finished', what + ' is in the clipboard.'),
        refused => tell('failed', refused.message),
    );

function head(details, entry) {
    const { job } = details,
        shown = stateOf(job);
    const changes = !mayChange()
        ? []
        : UNFINISHED.includes(job.state)
          ? [
                button('Cancel…', () => askCancel('this job', () => cancel(job.id)), { cls: 'bad' }),
                job.state !== 'RUNNING' &&
                    button('Reschedule…', () => askReschedule('this job', ms => reschedule(job.id, ms)), {
                        ic: 'clock',
                    }),
                job.state === 'DELAYED' && button('Run now', () => run(job.id), { cls: 'pri', ic: 'play' }),
            ]
          : job.state === 'FAILED'
            ? [button('Retry', () => retry(job.id), { cls: 'pri', ic: 'retry' })]
            : [];
    return h(
        'div',
        { class: 'jobhead', key: 'head' },
        h(
            'div',
            { class: 'grow' },
            h(
                'div',
                { class: 'row' },
                stateText(shown),
                h(
                    'span',
                    { class: 'mut' },
                    job.failures ? `after ${n0(job.failures)} failed ${plural(job.failures, 'attempt')}` : '',
                ),
                stale(entry),
            ),
            h('h2', null, headline(details)),
            h(
                'p',
                null,
                consequence(details),
                ' ',
                h(
                    'span',
                    { class: 'nowrap' },
                    h('span', { class: 'mono' }, job.id),
                    iconButton('Copy the id', 'copy', () => copied(job.id, 'The id'), { cls: 'ghost s' }),
                ),
            ),
        ),
        h(
            'div',
            { class: 'row wrap' },
            button('Copy as curl', () => copied(curlOf(job), 'The command'), { cls: 'ghost', ic: 'curl' }),
            changes,
        ),
    );
}

/* ---- attempts on a time line with shortened gaps */
function happened({ job, attempts }) {
    const known = [...attempts]
        .filter(attempt => attempt.startedAt)
        .reverse()
        .slice(-12);
    const spans = known.map(attempt => ({
        label: 'Attempt ' + attempt.attempt,
        from: instant(attempt.startedAt),
        to: instant(attempt.endedAt),
        outcome: attempt.outcome,
    }));
    if (job.state === 'RUNNING')
        spans.push({
            label: 'Attempt ' + job.attempt,
            from: instant(job.calledAt || job.startedAt || job.dueAt),
            to: now(),
            outcome: 'RUNNING',
        });
    const isOver = !UNFINISHED.includes(job.state);
    if (isOver && job.startedAt && !known.some(attempt => attempt.attempt === job.attempt)) {
        spans.push({
            label: 'Attempt ' + job.attempt,
            from: instant(job.calledAt || job.startedAt),
            to: instant(job.endedAt),
            outcome: job.state === 'FAILED' ? 'FAILED' : 'SUCCEEDED',
        });
    }
    const due =
        job.state === 'DELAYED' || job.state === 'READY'
            ? { label: 'Attempt ' + (job.attempt + 1), from: instant(job.dueAt) }
            : null;
    if (!spans.length && !due) return null;
    const rows = spans.length + (due ? 1 : 0),
        height = 30 + rows * 30 + 8;
    return card(
        'What happened',
        '',
        h('span', { class: 'mut' }, 'gaps are not to scale'),
        h(
            'div',
            { class: 'in' },
            h(Fluid, {
                height,
                on: [job, attempts, Math.floor(now() / SECOND)],
                draw: w => gantt(w, height, spans, due, job),
            }),
        ),
    );
}

const OUTCOMES = {
    FAILED: ['failed', 'failed'],
    TIMED_OUT: ['failed', 'timed out'],
    SUCCEEDED: ['finished', 'succeeded'],
    RUNNING: ['running', 'runs'],
    STOPPED: ['finished', 'stopped'],
    CONTINUED: ['finished', 'goes on'],
    SNOOZED: ['paused', 'snoozed'],
};

function gantt(w, height, spans, due, job) {
    const t = now(),
        begin = instant(job.scheduledAt),
        first = spans[0]?.from ?? due.from;
    const isOver = !UNFINISHED.includes(job.state);
    const points = [
        ...new Set([
            ...spans.flatMap(span => [span.from, span.to]),
            ...(due ? [due.from] : []),
            ...(isOver ? [] : [t]),
            ...(spans.length ? [] : [begin]),
        ]),
    ].sort((a, b) => a - b);
    const left = 92,
        right = 128,
        step = points.map((p, i) => (i ? Math.log1p((p - points[i - 1]) / 100) + 0.6 : 0)),
        sum = step.reduce((a, b) => a + b, 0) || 1;
    const places = new Map();
    let at = 0;
    points.forEach((p, i) => {
        at += step[i];
        places.set(p, left + ((w - left - right) * at) / sum);
    });
    const x = p => places.get(p),
        row = i => 30 + i * 30;
    const marks = [],
        mark = (p, text, cls, anchor = 'middle') => {
            if (marks.every(other => Math.abs(other.x - x(p)) > 74)) marks.push({ x: x(p), text, cls, anchor });
        };
    if (!isOver) mark(t, 'now', 'nowtext');
    mark(first, when(first, t).slice(-8));
    if (due) mark(due.from, clock(due.from));
    spans.slice(1).forEach(span => mark(span.from, '+ ' + dur(span.from - first)));
    const label = spans
        .map(span => `${span.label} ${OUTCOMES[span.outcome]?.[1] ?? span.outcome} after ${dur(span.to - span.from)}`)
        .concat(due ? `${due.label} is due ${relative(due.from, t)}` : [])
        .join('; ');
    return chart(
        w,
        height,
        label,
        marks.map(m => [
            h('line', { key: 'l' + m.x, class: m.cls ? 'nowline' : 'grid', x1: m.x, x2: m.x, y1: 20, y2: height }),
            h('text', { key: 't' + m.x, x: m.x, y: 12, class: m.cls, 'text-anchor': m.anchor }, m.text),
        ]),
        spans.map((span, i) => {
            const [kind, word] = OUTCOMES[span.outcome] ?? ['cancelled', span.outcome.toLowerCase()],
                x2 = Math.max(x(span.from) + 5, x(span.to)),
                follows = spans[i + 1] ?? due;
            return h(
                'g',
                { key: i },
                h('text', { x: 0, y: row(i) + 19, class: 'strong' }, span.label),
                h('rect', {
                    class: 'fill s-' + kind,
                    x: x(span.from),
                    y: row(i) + 8,
                    width: x2 - x(span.from),
                    height: 14,
                    rx: 4,
                    'fill-opacity': 0.85,
                }),
                h('text', { x: x2 + 8, y: row(i) + 19, class: 'halo' }, `${measured(span.to - span.from)}, ${word}`),
                follows &&
                    h('path', {
                        class: 'axis thin',
                        d: `M${x2 + 2} ${row(i) + 24}V${row(i + 1) + 15}H${Math.max(x2 + 2, x(follows.from) - 6)}`,
                        'stroke-dasharray': '2 3',
                    }),
            );
        }),
        due &&
            h(
                'g',
                { key: 'due' },
                h('text', { x: 0, y: row(spans.length) + 19, class: 'strong' }, due.label),
                h('rect', {
                    class: 'open s-' + (job.failures ? 'retrying' : 'delayed'),
                    x: x(due.from) - 5,
                    y: row(spans.length) + 8,
                    width: 10,
                    height: 14,
                    rx: 4,
                }),
                h(
                    'text',
                    {
                        x: x(due.from) + 12,
                        y: row(spans.length) + 19,
                        class: 'text s-' + (job.failures ? 'retrying' : 'delayed'),
                    },
                    due.from > t ? 'due in ' + dur(due.from - t) : `due for ${dur(t - due.from)}`,
                ),
            ),
    );
}

function attempts({ job, stackTrace, attempts, attemptsKept }) {
    const kept = attemptsKept
        ? `${n0(attempts.length)} ${plural(attempts.length, 'is', 'are')} kept (delayjob.attempts.mode=${attemptsKept.toLowerCase()})`
        : '';
    const last = stackTrace || job.error;
    if (!attempts.length && !last) return null;
    const newestHasTrace = attempts[0] && last && ['FAILED', 'TIMED_OUT'].includes(attempts[0].outcome);
    return card(
        'Attempts',
        kept,
        last ? button('Copy', () => copied(last, 'The stack trace'), { cls: 'ghost s', ic: 'copy' }) : null,
        h(
            'ul',
            { class: 'attempts' },
            !newestHasTrace &&
                last &&
                h(
                    'li',
                    { key: 'last' },
                    h('div', { class: 'row' }, stateText('FAILED', errorName(job))),
                    trace(last, 'Stack trace'),
                ),
            attempts.map((attempt, i) => {
                const bad = ['FAILED', 'TIMED_OUT'].includes(attempt.outcome),
                    text = attempt.stackTrace || (i === 0 && newestHasTrace ? last : null);
                const started = attempt.startedAt && instant(attempt.startedAt),
                    took = started && instant(attempt.endedAt) - started;
                return h(
                    'li',
                    { key: attempt.run + '-' + attempt.attempt },
                    h(
                        'div',
                        { class: 'row wrap' },
                        stateText(
                            bad ? 'FAILED' : 'FINISHED',
                            `Attempt ${attempt.attempt}${attempt.run > 1 ? ' of run ' + attempt.run : ''}`,
                        ),
                        h(
                            'span',
                            { class: 'mut num' },
                            [
                                started && when(started, now(), true),
                                attempt.lateMillis !== undefined && late(attempt.lateMillis),
                                started && 'took ' + measured(took),
                                where(attempt.instance),
                                !bad && attempt.outcome.toLowerCase(),
                            ]
                                .filter(Boolean)
                                .join(' · '),
                        ),
                    ),
                    text
                        ? trace(text, `Stack trace of attempt ${attempt.attempt}`)
                        : attempt.error &&
                              h('p', { class: 'mut wraps', title: attempt.error }, cut(attempt.error, 500)),
                );
            }),
        ),
    );
}
const where = number => {
    const known = instanceByNumber(number);
    return known ? `${instanceName(known)} (${number})` : number === undefined ? '' : `instance ${number}`;
};

/* ---- the right column */
function why({ job, why, retryPolicy }) {
    if (!why?.length) return null;
    const due = instant(job.dueAt),
        icons = {
            DUE: 'clock',
            PAUSED: 'pause',
            HANDLER: 'handlers',
            INSTANCE: 'cluster',
            SLOTS: 'handlers',
            LEADER: 'cluster',
        };
    const text = check =>
        check.check !== 'DUE'
            ? check.says
            : check.holds
              ? `It has been due since ${when(due, now(), true)}.`
              : `It is not due before ${when(due, now())}.`;
    return card(
        job.state === 'RUNNING' ? 'How does it run?' : 'Why does it not run?',
        '',
        null,
        h(
            'ul',
            { class: 'why' },
            why.map(check =>
                h(
                    'li',
                    {
                        key: check.check,
                        class: check.holds ? 's-finished' : check.check === 'DUE' ? 's-retrying' : 's-failed',
                    },
                    h(
                        'span',
                        { class: 'st' },
                        icon(check.holds ? 'check' : icons[check.check] || 'info'),
                        h('span', { class: 'vh' }, check.holds ? 'Yes: ' : 'No: '),
                    ),
                    h(
                        'div',
                        { class: 'wraps' },
                        text(check),
                        check.check === 'DUE' && job.failures && retryPolicy
                            ? h('div', { class: 'two' }, 'Retry policy: ' + terms(retryPolicy))
                            : null,
                    ),
                ),
            ),
        ),
    );
}

/** The jobs after this one in its chain; those that have a row are links. */
function then(steps) {
    return h(
        'span',
        { class: 'wraps' },
        steps.flatMap((step, i) => [
            i ? ', then ' : '',
            step.written ? jobLink(step.id, { class: 'under' }, cut(step.name, 100)) : cut(step.name, 100),
        ]),
    );
}

const labels = all =>
    all.map(label => h('div', { key: label }, link(search('jobs', { label }), { class: 'wraps under' }, label)));

function factsCard({ job, retryPolicy, timeout, progress, chain }) {
    const at = t => t && time(instant(t), when(instant(t), now(), true)),
        t = now();
    const planned = instant(job.plannedAt);
    return card(
        'Facts',
        '',
        null,
        h(
            'div',
            { class: 'in' },
            facts([
                ['Handler', link(search('jobs', { name: job.name }), { class: 'wraps under' }, cut(job.name, 300))],
                job.key && ['Key', h('span', { class: 'mono wraps' }, cut(job.key, 500))],
                job.labels && ['Labels', labels(job.labels)],
                ['Planned', at(job.plannedAt), relative(planned, t)],
                ['Due', at(job.dueAt), relative(instant(job.dueAt), t)],
                [
                    'Scheduled',
                    at(job.scheduledAt),
                    planned > instant(job.scheduledAt) ? dur(planned - instant(job.scheduledAt)) + ' before' : '',
                ],
                progress && [
                    'Progress',
                    n0(progress.done) + (progress.total === undefined ? '' : ' of ' + n0(progress.total)),
                    progress.note || '',
                ],
                chain?.follows && ['Follows', jobLink(chain.follows, { class: 'mono wraps under' }, chain.follows)],
                chain?.then && [
                    'Then',
                    then(chain.then),
                    chain.then[0].written ? '' : chain.then[0].always ? 'once it has finished or failed' : 'once it has finished',
                ],
                job.expiresAt && ['Expires', at(job.expiresAt), relative(instant(job.expiresAt), t)],
                (job.result || job.resultMissing) && [
                    'Result',
                    job.result
                        ? h('span', { class: 'mono wraps' }, cut(job.result, 500))
                        : 'not kept: ' + job.resultMissing,
                ],
                job.calledAt && [
                    'Started',
                    at(job.calledAt),
                    job.lateMillis === undefined ? '' : late(job.lateMillis),
                ],
                job.endedAt && ['Ended', at(job.endedAt), relative(instant(job.endedAt), t)],
                job.instance !== undefined && ['Instance', nameOfNumber(job.instance)],
                ['Queue', h('span', { class: 'wraps' }, cut(job.queue, 200)), 'partition ' + job.partition],
                ['Run', n0(job.run), job.schedule ? terms(job.schedule) : 'does not repeat'],
                ['Failures', n0(job.failures), `rescues ${job.rescues}, in doubt ${job.inDoubt}`],
                (job.retry || retryPolicy) && [
                    'Retry',
                    terms(job.retry || retryPolicy),
                    job.retry ? 'its own' : 'of the handler',
                ],
                timeout && ['Timeout', dur(millis(timeout))],
                job.trace && ['Trace', h('span', { class: 'mono wraps' }, job.trace.split('-')[1] || job.trace)],
            ]),
        ),
    );
}

function next({ next }) {
    return next?.length
        ? card(
              'Next runs',
              '',
              null,
              h(
                  'ul',
                  { class: 'list flush' },
                  next.map(run =>
                      h(
                          'li',
                          { key: run },
                          time(instant(run), full(instant(run)).replace(/\.\d+/, '')),
                          h('span', { class: 'mut' }, relative(instant(run), now())),
                      ),
                  ),
              ),
          )
        : null;
}

function lines(title, text) {
    return h('pre', { tabIndex: 0, role: 'group', 'aria-label': title, class: 'wraps' }, text);
}

function log({ log }) {
    const line = ({ at, message }) => when(instant(at), now()) + ' ' + message;
    return log
        ? card(
              'Log',
              '',
              h('span', { class: 'mut' }, 'attempt ' + log.attempt),
              h('div', { class: 'in' }, lines('Log', log.lines.map(line).join('\n'))),
          )
        : null;
}

function payload({ job, payloadHidden }) {
    if (job.payload === undefined && !payloadHidden) return null;
    return card(
        'Payload',
        '',
        null,
        h(
            'div',
            { class: 'in' },
            job.payload !== undefined
                ? lines('Payload', job.payload)
                : note('plain', 'lock', 'Hidden from you.', payloadHidden),
        ),
    );
}
