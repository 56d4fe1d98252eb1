/* Failures: jobs that have failed for good, by handler and exception, and how to retry them. */
import { h } from './preact.module.js';
import { mayChange } from './actions.js';
import { askRetry } from './bulk.js';
import { read } from './api.js';
import { readFailures, sumBuckets } from './derive.js';
import { Fluid, axisX, axisY, chart, describe, grid, legend, spark, stacked, ticks } from './charts.js';
import {
    button,
    card,
    choice,
    colour,
    empty,
    heads,
    icon,
    jobLink,
    keyCell,
    link,
    loaded,
    stale,
    time,
    trace,
    wide,
} from './parts.js';
import { changed, go, now, search, state } from './state.js';
import {
    BLANK,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    count,
    cut,
    dur,
    instant,
    millis,
    n0,
    plural,
    short,
    simple,
    total,
    when,
} from './text.js';

const SPANS = [
    [HOUR, '1 h'],
    [DAY, '24 h'],
    [7 * DAY, '7 d'],
    [30 * DAY, '30 d'],
];
const open = new Set();
let greeted = false;

export function draw(query) {
    const span = Number(query.get('span')) || DAY,
        entry = readFailures(span);
    const spans = choice('Span', SPANS, span, value => go(search('failures', { span: value === DAY ? null : value })));
    return {
        title: 'Failures',
        body: [
            h(
                'div',
                { class: 'hero', key: 'hero' },
                h(
                    'div',
                    { class: 'grow' },
                    entry.value ? sentence(entry.value, span) : [h('h2', null, BLANK), h('p', null, BLANK)],
                ),
                stale(entry),
                spans,
            ),
            loaded(
                entry,
                failures =>
                    failures.groups.length
                        ? groups(failures)
                        : h(
                              'section',
                              { class: 'card' },
                              empty(
                                  'check',
                                  'Nothing has failed',
                                  `In the last ${dur(span)} every job ended well, was cancelled, or is still being retried.`,
                              ),
                          ),
                6,
            ),
        ],
    };
}

function sentence(failures, span) {
    const all = total(failures.groups.map(group => group.count)),
        most = failures.groups[0],
        number = n => h('em', { class: 'bad' }, count(n, failures.complete ? 'EXACT' : 'AT_LEAST'));
    const of = `in ${span === HOUR ? 'an hour' : span === DAY ? '24 hours' : dur(span).replace(' d', ' days')}`;
    const kept = failures.retention
        ? `They are kept for ${dur(millis(failures.retention)).replace(' d', ' days')} with their payload, and can be retried.`
        : 'They are kept with their payload, and can be retried.';
    return [
        h(
            'h2',
            null,
            !all
                ? `No job has failed for good ${of}.`
                : [
                      number(all),
                      ` ${plural(all, 'job')} failed for good ${of}`,
                      failures.groups.length > 1 && most.count > all / 2
                          ? [', ', number(most.count), ' of them for the same reason.']
                          : '.',
                  ],
        ),
        h('p', null, all ? kept : 'Failed attempts that are retried do not count here.'),
    ];
}

function groups(failures) {
    if (!greeted && failures.groups.length) {
        greeted = true;
        open.add(keyOf(failures.groups[0]));
    }
    return [
        card(
            'Failed by ' +
                (Math.abs(millis(failures.width) - HOUR) < 5 * MINUTE ? 'hour' : dur(millis(failures.width))),
            '',
            legend(failures.groups.slice(0, 6).map(group => ['k' + colour(group.name), group.name])),
            h('div', { class: 'in' }, h(Fluid, { height: 120, on: [failures], draw: w => byHour(w, 120, failures) })),
        ),
        card(
            'By handler and exception',
            failures.complete
                ? `all ${n0(failures.lookedAt)} failed jobs`
                : `the newest ${n0(failures.lookedAt)} failed jobs; there are more`,
            null,
            h(
                'div',
                { class: 'groups' },
                failures.groups.map(group => one(group, failures)),
            ),
        ),
    ];
}

function byHour(w, height, failures) {
    const from = instant(failures.since),
        width = millis(failures.width),
        t = i => from + i * width;
    const names = [...new Set(failures.groups.map(group => group.name))];
    const series = names.map(name => ({
        name,
        cls: 'k' + colour(name),
        values: sumBuckets(failures.groups.filter(group => group.name === name)),
    }));
    const sums = sumBuckets(failures.groups),
        most = Math.max(...sums),
        scale = ticks(most, 2);
    const g = grid({ w, ht: height, n: sums.length, max: most, bottom: 20 });
    return chart(
        w,
        height,
        `Jobs that became FAILED: ${describe(sums, t)}`,
        axisY(g, scale, short),
        stacked(g, series),
        axisX(g, t),
    );
}

const keyOf = group => group.name + '\n' + group.error;

function one(group, failures) {
    const key = keyOf(group),
        isOpen = open.has(key),
        last = instant(group.last),
        first = instant(group.first);
    const toggle = () => {
        if (isOpen) open.delete(key);
        else open.add(key);
        changed();
    };
    return h(
        'article',
        { class: 'group k' + colour(group.name), key, 'aria-label': cut(`${group.name}, ${simple(group.error)}`) },
        h(
            'div',
            { class: 'ghead' },
            h(
                'button',
                {
                    type: 'button',
                    class: 'btn ghost icon s',
                    'aria-expanded': String(isOpen),
                    'aria-label': 'The newest failures',
                    onClick: toggle,
                },
                icon(isOpen ? 'down' : 'right', 14),
            ),
            h('div', { class: 'cnt' }, short(group.count)),
            h(
                'div',
                { class: 'grow' },
                h(
                    'div',
                    { class: 'row' },
                    h('i', { class: 'dot' }),
                    h('b', { class: 'clip', title: group.name }, group.name),
                    h('span', { class: 'st s-failed clip', title: group.error }, simple(group.error)),
                ),
                h('div', { class: 'msg', title: group.message }, cut(group.message, 300) || BLANK),
            ),
            h(
                'div',
                { class: 'seen' },
                h('div', null, h('span', { class: 'mut' }, 'last '), time(last, when(last, now()))),
                h('div', { class: 'mut' }, 'first ', time(first, when(first, now()))),
            ),
            spark(group.buckets, { bars: true, w: 116, ht: 30, cls: 's-failed' }),
            mayChange() &&
                button('Retry…', () => askRetry(group, failures), {
                    cls: 's',
                    ic: 'retry',
                    disabled: Boolean(state.bulk),
                }),
        ),
        isOpen && body(group),
    );
}

function body(group) {
    const newest = read('failure-' + group.newest, 'jobs/' + group.newest, 0);
    const list = read(
        'failed-of-' + keyOf(group),
        search('', { state: 'FAILED', name: group.name, error: group.error, order: 'ENDED', limit: 5 }).replace(
            '?',
            'jobs?',
        ),
        30 * SECOND,
    );
    const all = search('jobs', { state: 'FAILED', name: group.name, error: group.error });
    return h(
        'div',
        { class: 'gbody' },
        h(
            'div',
            { class: 'cols' },
            h(
                'div',
                { class: 'c7' },
                loaded(
                    newest,
                    details =>
                        trace(
                            details.stackTrace || details.job.error || 'No stack trace is kept.',
                            'Stack trace of the newest failure',
                        ),
                    3,
                ),
            ),
            h(
                'div',
                { class: 'c5' },
                loaded(
                    list,
                    page =>
                        !page.jobs.length
                            ? h('p', { class: 'mut' }, 'They are no longer FAILED.')
                            : wide(
                                  'The newest jobs',
                                  h(
                                      'table',
                                      null,
                                      heads('Failed', 'Job', 'Key', 'Attempts', ''),
                                      h(
                                          'tbody',
                                          null,
                                          page.jobs.map(job =>
                                              h(
                                                  'tr',
                                                  { key: job.id },
                                                  h(
                                                      'td',
                                                      null,
                                                      time(instant(job.endedAt), when(instant(job.endedAt), now())),
                                                  ),
                                                  h('td', { class: 'mono' }, '…' + job.id.slice(-8)),
                                                  keyCell(job),
                                                  h('td', { class: 'mut' }, job.attempt),
                                                  h(
                                                      'td',
                                                      { class: 'right' },
                                                      jobLink(job.id, { class: 'btn s' }, 'Open'),
                                                  ),
                                              ),
                                          ),
                                      ),
                                  ),
                              ),
                    3,
                ),
                link(all, { class: 'btn s ghost' }, 'All of them', icon('right', 14)),
            ),
        ),
    );
}
