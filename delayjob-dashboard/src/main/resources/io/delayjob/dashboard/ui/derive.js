/* Values derived from the pulse and the reads: sums over instances, and points that need an operator's attention. */
import { read } from './api.js';
import { instanceName } from './parts.js';
import { now, state } from './state.js';
import {
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    addTo,
    count,
    cut,
    dur,
    instant,
    millis,
    n0,
    plural,
    simple,
    total,
    when,
} from './text.js';

/** Groups with fewer failures an hour than this are shown only if no other group has more. */
const MANY = 5;

/** Upper bounds of the buckets of lateness, in ms; the last bucket lies above them all. */
export const BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10000, 60000];

export const instances = () => state.pulse?.instances || [];
export const self = () => instances().find(instance => instance.self);

function precisionOf(name) {
    return state.pulse?.about?.includes(name) ? 'ABOUT' : state.pulse?.atLeast?.includes(name) ? 'AT_LEAST' : 'EXACT';
}
export const countOf = name => count(state.pulse?.jobs[name], precisionOf(name));

export const lately = () =>
    instances().reduce((sum, { vitals }) => addTo(sum, vitals?.late || []), new Array(BOUNDS.length + 1).fill(0));

export function slots() {
    const sum = new Map();
    for (const { vitals } of instances()) {
        for (const [queue, use] of Object.entries(vitals?.slots || {})) {
            const all = sum.get(queue) || { concurrency: 0, running: 0, claimed: 0 };
            for (const field in all) all[field] += use[field] || 0;
            sum.set(queue, all);
        }
    }
    return sum;
}

export const sumBuckets = groups => groups.reduce((sum, group) => addTo(sum, group.buckets), []);

const floor = (t, step) => Math.floor(t / step) * step;
export const iso = t => new Date(t).toISOString();

/* ---- the reads that several pages share */
export const readMinutes = () =>
    read('minutes', `minutes?from=${iso(floor(now(), MINUTE) - 59 * MINUTE)}&step=1m`, MINUTE);
export const readDueHour = () =>
    read('due-hour', `due?from=${iso(floor(now(), MINUTE))}&width=1m&buckets=60`, 20 * SECOND);
export const readFailures = (span = DAY) =>
    read('failures-' + span, `failures?since=${iso(floor(now(), MINUTE) - span)}`, 30 * SECOND);
export const readHandlers = () => read('handlers', 'handlers', 30 * SECOND);
export const readQueues = () => read('queues', 'queues', 30 * SECOND);

export function traffic(minutes) {
    const seconds = Math.max(1, (now() - instant(minutes.from)) / SECOND);
    return new Map(
        minutes.handlers.map(handler => {
            const starts = total(handler.starts),
                bad = total(handler.retried) + total(handler.failed);
            return [
                handler.name,
                {
                    ...handler,
                    rate: starts / seconds,
                    bad: starts ? bad / starts : 0,
                    takes: handler.ended ? millis(handler.runTime) / handler.ended : null,
                },
            ];
        }),
    );
}

/** Who paused something, since when and why, as one clause. */
export function pausedBy(kind, name) {
    const mark = (state.pulse?.paused.details || []).find(detail => detail.kind === kind && detail.name === name);
    if (!mark) return '';
    return (
        (mark.by ? 'by ' + mark.by : '') +
        (mark.since ? (mark.by ? ', ' : '') + 'since ' + when(instant(mark.since), now()).replace(/:\d\d$/, '') : '') +
        (mark.reason ? ': ' + cut(mark.reason, 120) : '')
    );
}

/** Lists the points that need an operator's attention, the worst first: [kind, icon, title, text, link]. */
export function attention() {
    const pulse = state.pulse,
        list = [];
    if (!pulse) return list;
    for (const trouble of pulse.engine.troubles || []) {
        list.push([
            'failed',
            'cluster',
            `${instanceName(self())} has trouble: ${trouble.role}`,
            `For ${dur(millis(trouble.lasting))}: ${trouble.error}`,
            '?cluster',
        ]);
    }
    const failures = readFailures().value;
    if (failures) {
        const perHour = Math.max(1, Math.round(HOUR / millis(failures.width)));
        const fresh = failures.groups
            .map(group => ({ ...group, recent: total(group.buckets.slice(-perHour)) }))
            .filter(group => group.recent)
            .sort((a, b) => b.recent - a.recent)
            .filter((group, i) => !i || group.recent >= MANY);
        for (const group of fresh.slice(0, 2)) {
            list.push([
                'failed',
                'failures',
                `${group.name} fails`,
                `${n0(group.recent)} became FAILED within the hour, with ${simple(group.error)}`,
                '?failures',
            ]);
        }
    }
    for (const instance of instances().filter(one => one.state === 'LATE')) {
        list.push(['late', 'cluster', `${instanceName(instance)} is late`, lateness(instance), '?cluster']);
    }
    for (const one of readHandlers().value?.unhandled || []) {
        list.push([
            'ready',
            'handlers',
            `Nobody runs ${one.name}`,
            `${count(one.jobs, one.precision)} ${plural(one.jobs, 'job waits', 'jobs wait')}` +
                (one.oldestDue ? `, the oldest due ${when(instant(one.oldestDue), now())}` : ''),
            '?handlers',
        ]);
    }
    for (const [kind, names] of [
        ['HANDLER', pulse.paused.handlers],
        ['QUEUE', pulse.paused.queues],
    ]) {
        for (const name of names) {
            list.push([
                'paused',
                'pause',
                `${name} is paused`,
                pausedBy(kind, name) || 'Its jobs wait until somebody resumes it',
                '?handlers',
            ]);
        }
    }
    const overdue = pulse.oldestDue ? now() - instant(pulse.oldestDue) : 0;
    const isExplained =
        pulse.paused.handlers.length || pulse.paused.queues.length || readHandlers().value?.unhandled?.length;
    if (overdue > 10 * SECOND && !isExplained) {
        list.push([
            'ready',
            'clock',
            'Jobs are overdue',
            `The oldest has been due for ${dur(overdue)}`,
            '?jobs&state=READY',
        ]);
    }
    return list;
}

export function lateness(instance) {
    const age = millis(instance.heartbeatAge),
        rest = instance.givenUpAfter ? millis(instance.givenUpAfter) - age : null;
    return (
        `No heartbeat for ${dur(age)}` +
        (rest === null ? '' : rest > 0 ? `; removed in ${dur(rest)}` : '; it is being removed')
    );
}
