/* Jobs: those around now, or a list by state. The filters are part of the address. */
import { h } from './preact.module.js';
import { askCancel, askReschedule, mayChange } from './actions.js';
import { change, read } from './api.js';
import { askMatching, changeEach } from './bulk.js';
import { countOf } from './derive.js';
import {
    button,
    empty,
    errorName,
    handlerName,
    icon,
    iconButton,
    jobLink,
    keyCell,
    lateText,
    link,
    loaded,
    nameOfNumber,
    stale,
    stateOf,
    stateText,
    th,
    time,
    wide,
} from './parts.js';
import { changed, go, now, search, state } from './state.js';
import {
    SECOND,
    STATES,
    STATE_NAMES,
    ago,
    cut,
    dur,
    instant,
    late,
    measured,
    millis,
    n0,
    plural,
    relative,
    simple,
    when,
} from './text.js';

const NAMES = {
    name: 'handler',
    key: 'key',
    queue: 'queue',
    error: 'failed with',
    label: 'label',
    group: 'group',
    payload: 'payload',
    from: 'from',
    until: 'until',
};
const FILTERS = Object.keys(NAMES);
const ENDED = ['FINISHED', 'FAILED', 'CANCELLED'];
const ORDERS = { DUE: 'next due first', ENDED: 'newest end first', NEWEST: 'newest first', OLDEST: 'oldest first' };

const chosen = new Set();
let cursor = null,
    shown = '';

const filtersOf = query =>
    Object.fromEntries(FILTERS.filter(name => query.get(name)).map(name => [name, query.get(name)]));

const path = parameters => search('', parameters).replace('?', 'jobs?');

export function draw(query) {
    const of = query.get('state'),
        filters = filtersOf(query),
        isAround = !of && !Object.keys(filters).length;
    if (shown !== location.search) {
        shown = location.search;
        chosen.clear();
        cursor = null;
    }
    const groups = isAround ? around() : [list(of, filters, query)];
    const jobs = groups.flatMap(group => group.entry.value?.jobs || []);
    return {
        title: of ? STATE_NAMES[of] || of : 'Jobs',
        crumb: of && ['Jobs', '?jobs'],
        body: [
            h(
                'div',
                { class: 'row wrap', key: 'tabs' },
                tabs(of, isAround, filters),
                h('div', { class: 'grow' }),
                isAround ? null : order(of, query),
            ),
            h(
                'section',
                { class: 'card', 'aria-label': 'Jobs', key: 'list' },
                filterBar(of, filters),
                body(groups, jobs, of, filters, isAround),
                foot(groups, jobs, query, isAround),
            ),
            chosen.size ? bulkBar(jobs, matching(groups, of, filters)) : null,
        ],
    };
}

function around() {
    const entry = { ...read('around', 'around', chosen.size ? 0 : 3 * SECOND) };
    if (entry.value) {
        entry.at = instant(entry.value.at);
        // While the store does not answer, the application repeats its last answer.
        if (state.live && !chosen.size && now() - entry.at > 15 * SECOND) entry.error ||= new Error('The store does not answer.');
    }
    const group = (title, note, of) => ({ title, note, entry: { ...entry, value: entry.value?.[of] } });
    return [
        group('Now', 'running', 'running'),
        group('Due', 'not started', 'ready'),
        group('Next', `${countOf('DELAYED')} wait`, 'next'),
        group('Just ended', `${countOf('FINISHED')} finished are kept`, 'ended'),
    ];
}

const usual = of => (ENDED.includes(of) ? 'ENDED' : of ? 'DUE' : 'OLDEST');

function list(of, filters, query) {
    const parameters = {
        ...(of && { state: of }),
        ...filters,
        order: query.get('order') || usual(of),
        limit: 50,
        after: query.get('after'),
    };
    return {
        entry: read(
            'jobs-' + JSON.stringify(parameters),
            path(parameters),
            chosen.size || query.get('after') ? 0 : 5 * SECOND,
        ),
    };
}

function tabs(of, isAround, filters) {
    const tab = (value, label, n) =>
        link(
            search('jobs', { state: value, ...(value ? filters : {}) }),
            { key: label, 'aria-current': (value ? of === value : isAround) ? 'true' : null },
            label,
            n && h('span', { class: 'n' }, n),
        );
    return h(
        'nav',
        { class: 'seg', 'aria-label': 'State' },
        tab(null, 'Around now'),
        STATES.map(name => tab(name, STATE_NAMES[name], state.pulse ? countOf(name) : '')),
    );
}

function order(of, query) {
    const possible = ENDED.includes(of) ? ['ENDED', 'OLDEST'] : of ? ['DUE', 'NEWEST', 'OLDEST'] : ['OLDEST', 'NEWEST'];
    return h(
        'label',
        { class: 'row mut' },
        'Order',
        h(
            'select',
            {
                class: 'btn',
                value: query.get('order') || usual(of),
                onChange: e => go(withOut(query, ['after'], { order: e.target.value })),
            },
            possible.map(value => h('option', { key: value, value }, ORDERS[value])),
        ),
    );
}

function withOut(query, names, values) {
    const all = Object.fromEntries([...query].filter(([name]) => name !== 'jobs' && !names.includes(name)));
    return search('jobs', { ...all, ...values });
}

/** Reads the typed text: "handler:x key:y", or a key. */
function typed(text, of, filters) {
    const values = { ...filters };
    for (const word of text
        .trim()
        .split(/\s+(?=\w+:)/)
        .filter(Boolean)) {
        const [, name, value] = /^(\w+):\s*(.*)$/s.exec(word) || [];
        const filter = name === 'handler' ? 'name' : name;
        if (filter in NAMES && value) values[filter] = value.trim();
        else values.key = word;
    }
    go(search('jobs', { state: of, ...values }));
}

const valueText = (name, text) =>
    name === 'from' || name === 'until' ? when(instant(text), now()) : name === 'error' ? simple(text) : text;

function filterBar(of, filters) {
    return h(
        'form',
        {
            class: 'filters',
            onSubmit: e => {
                e.preventDefault();
                typed(e.target.elements.filter.value, of, filters);
                e.target.reset();
            },
        },
        h(
            'div',
            { class: 'field grow' },
            icon('filter', 14),
            Object.entries(filters).map(([name, text]) =>
                h(
                    'span',
                    { class: 'pill out', key: name },
                    NAMES[name],
                    ': ',
                    h('b', { class: 'clip', title: text }, cut(valueText(name, text), 60)),
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 'drop',
                            'aria-label': 'Without ' + NAMES[name],
                            onClick: () => go(search('jobs', { state: of, ...filters, [name]: null })),
                        },
                        icon('x', 12),
                    ),
                ),
            ),
            h('label', { class: 'vh', for: 'filter' }, 'Filter'),
            h('input', {
                id: 'filter',
                name: 'filter',
                autocomplete: 'off',
                spellcheck: false,
                placeholder: 'handler:  key:  queue:  error:  label:  group:  payload:',
            }),
        ),
        Object.keys(filters).length ? link(search('jobs', { state: of }), { class: 'btn ghost' }, 'Clear') : null,
    );
}

const COLUMNS = ['State', 'Handler', 'Key', 'When', ['Late', 'right'], 'How', ['Attempt', 'right'], 'Queue', 'Id'];

function body(groups, jobs, of, filters, isAround) {
    const isReading = groups.some(group => group.entry.value === undefined);
    if (isReading) return loaded(groups.find(group => group.entry.value === undefined).entry, () => null, 8);
    if (!jobs.length) return nothing(groups, of, filters, isAround);
    const all = mayChange()
        ? h('input', {
              type: 'checkbox',
              'aria-label': 'Select all on this page',
              checked: jobs.every(job => chosen.has(job.id)),
              onChange: e => choose(jobs, e.target.checked),
          })
        : h('span', { class: 'vh' }, 'Selected');
    return wide(
        'Jobs',
        h(
            'table',
            { class: 'fix jobs' },
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    h('th', { scope: 'col' }, all),
                    COLUMNS.map(column => (Array.isArray(column) ? th(...column) : th(column))),
                ),
            ),
            groups.map(group =>
                group.entry.value.jobs.length
                    ? h(
                          'tbody',
                          { key: group.title || 'all' },
                          group.title &&
                              h(
                                  'tr',
                                  { class: 'grouphead' },
                                  h(
                                      'th',
                                      { colSpan: 10, scope: 'rowgroup' },
                                      group.title,
                                      h('span', { class: 'mut' }, ' ', group.note),
                                  ),
                              ),
                          group.entry.value.jobs.map(row),
                      )
                    : null,
            ),
        ),
    );
}

function nothing(groups, of, filters, isAround) {
    const page = groups[0].entry.value;
    if (page.next) {
        return empty(
            'search',
            `None among the ${n0(page.lookedAt)} jobs looked at`,
            'There are more jobs to read.',
            h(
                'div',
                { class: 'row' },
                link(withOut(state.query, [], { after: page.next }), { class: 'btn' }, 'Look further'),
                link(search('jobs', { state: of }), { class: 'btn ghost' }, 'Clear the filter'),
            ),
        );
    }
    if (isAround) {
        return empty(
            'wheel',
            'No jobs yet',
            'The first one shows up here within a second of the commit of its transaction.',
            h('pre', { tabIndex: 0 }, 'jobs.schedule(UnpaidOrders::cancel).with(orderId).after(ofMinutes(30));'),
        );
    }
    return empty(
        'search',
        of && !Object.keys(filters).length ? `No job is ${STATE_NAMES[of].toLowerCase()}` : 'No job matches',
        Object.keys(filters).length
            ? 'All jobs that could match were read. Keys and handler names must match exactly.'
            : '',
        Object.keys(filters).length ? link(search('jobs', { state: of }), { class: 'btn' }, 'Clear the filter') : null,
    );
}

function choose(jobs, on) {
    for (const job of jobs)
        if (on) chosen.add(job.id);
        else chosen.delete(job.id);
    changed();
}

function row(job) {
    const t = now(),
        due = instant(job.dueAt),
        end = job.endedAt && instant(job.endedAt),
        isChosen = chosen.has(job.id);
    const [at, text] = end ? [end, ago(end, t)] : [due, job.state === 'DELAYED' && due <= t ? 'now' : relative(due, t)];
    return h(
        'tr',
        { key: job.id, 'aria-selected': String(isChosen), class: cursor === job.id ? 'cur' : '', 'data-id': job.id },
        h(
            'td',
            null,
            mayChange() &&
                h('input', {
                    type: 'checkbox',
                    'aria-label': cut(`Select ${job.name} ${job.key || job.id}`, 120),
                    checked: isChosen,
                    onChange: e => choose([job], e.target.checked),
                }),
        ),
        h('td', null, stateText(stateOf(job))),
        h('td', null, jobLink(job.id, { class: 'row clip' }, handlerName(job.name, true))),
        keyCell(job),
        h('td', null, time(at, text), ' ', h('span', { class: 'mut' }, when(at, t, Math.abs(at - t) < 60 * SECOND))),
        h(
            'td',
            { class: 'right' },
            job.lateMillis === undefined
                ? h('span', { class: 'mut' }, '–')
                : job.lateMillis > 10
                  ? lateText(job.lateMillis)
                  : late(job.lateMillis),
        ),
        h('td', null, how(job, t)),
        h('td', { class: 'right' + (job.failures ? '' : ' mut') }, job.attempt || '–'),
        h('td', { class: 'mut', title: cut(job.queue, 300) }, cut(job.queue, 60)),
        h('td', { class: 'mono mut' }, '…' + job.id.slice(-8)),
    );
}

function how(job, t) {
    const on = job.instance === undefined ? null : h('span', { class: 'mut' }, ' on ' + nameOfNumber(job.instance));
    const started = instant(job.calledAt || job.startedAt);
    switch (stateOf(job)) {
        case 'RUNNING':
            return ['since ', dur(Math.max(0, t - (started ?? t))), on];
        case 'READY':
            return h('span', { class: 'mut' }, 'waits for a slot');
        case 'PAUSED':
            return h('span', { class: 'mut' }, 'waits for a resume');
        case 'AWAITING':
            return h('span', { class: 'mut' }, 'waits for an answer');
        case 'FINISHED':
            return [started ? measured(instant(job.endedAt) - started) : '', on];
        case 'FAILED':
            return h('span', { class: 'st s-failed clip', title: cut(job.error, 500) }, errorName(job));
        case 'RETRYING':
            return h(
                'span',
                { class: 'mut' },
                `${job.error ? errorName(job) + ',' : 'failed'} ${n0(job.failures)} ${plural(job.failures, 'time')}`,
            );
        default:
            return h('span', { class: 'mut' }, job.paused ? 'paused' : job.schedule ? 'repeats' : '–');
    }
}

function foot(groups, jobs, query, isAround) {
    if (groups.some(group => !group.entry.value)) return null;
    const looked = groups.reduce((sum, { entry }) => sum + (entry.value.lookedAt || 0), 0),
        took = groups.reduce((sum, { entry }) => sum + (millis(entry.value.took) || 0), 0);
    const next = isAround ? null : groups[0].entry.value.next;
    return h(
        'div',
        { class: 'tfoot' },
        h(
            'span',
            null,
            `${n0(jobs.length)} ${plural(jobs.length, 'job')}; ${n0(looked)} ${plural(looked, 'row was', 'rows were')} looked at${took ? ', in ' + dur(took) : ''}`,
        ),
        stale(groups[0].entry),
        h('div', { class: 'grow' }),
        h(
            'span',
            { class: 'keyhint', 'aria-hidden': 'true' },
            h('kbd', null, 'j'),
            ' ',
            h('kbd', null, 'k'),
            ' move  ',
            mayChange() && [h('kbd', null, 'x'), ' select  '],
            h('kbd', null, '↵'),
            ' open',
        ),
        isAround
            ? null
            : [
                  button('Back', () => history.back(), { cls: 's', ic: 'left', disabled: !query.get('after') }),
                  next
                      ? link(withOut(query, [], { after: next }), { class: 'btn s' }, 'Further', icon('right', 14))
                      : h('button', { class: 'btn s', disabled: true }, 'Further', icon('right', 14)),
              ],
    );
}

const what = () => `${n0(chosen.size)} ${plural(chosen.size, 'job')}`;
const each = (action, method, body) =>
    changeEach(action, [...chosen], (id, store) => change(method, 'jobs/' + id, body, store)).then(() => {
        chosen.clear();
        changed();
    });
const post = (action, more) => each(action, 'POST', { action, ...more });
const askMove = () => askReschedule(what(), ms => post('reschedule', { delay: Math.round(ms) + 'ms' }));
const askEnd = () => askCancel(what(), () => each('cancel', 'DELETE'));

/** Returns a function that asks about all jobs that match; null if they cannot be changed, or the page shows all. */
function matching(groups, of, filters) {
    const { entry } = groups[0];
    if (!['FAILED', 'DELAYED', 'READY'].includes(of) || !Object.keys(filters).length || !entry.value?.next) return null;
    const what = Object.entries(filters).map(([name, text]) => `${NAMES[name]}: ${cut(valueText(name, text), 60)}`);
    return () => askMatching([STATE_NAMES[of] + ' jobs', ...what].join(', '), { state: of, ...filters }, entry.at);
}

function bulkBar(jobs, askAll) {
    const isFailed = jobs.filter(job => chosen.has(job.id)).every(job => job.state === 'FAILED');
    return h(
        'div',
        { class: 'bulk', role: 'toolbar', 'aria-label': 'Selected jobs', key: 'bulk' },
        h('b', null, chosen.size + ' selected'),
        isFailed
            ? button('Retry', () => post('retry'), { cls: 's', ic: 'retry' })
            : [
                  button('Run now', () => post('run'), { cls: 's', ic: 'play' }),
                  button('Reschedule…', askMove, { cls: 's', ic: 'clock' }),
                  button('Cancel…', askEnd, { cls: 's bad', ic: 'x' }),
              ],
        askAll && jobs.every(job => chosen.has(job.id)) && button('All that match…', askAll, { cls: 's' }),
        iconButton(
            'Select none',
            'x',
            () => {
                chosen.clear();
                changed();
            },
            { cls: 's' },
        ),
    );
}

/* ---- keys: j and k move, x selects, enter opens */
export function onKey(e) {
    const rows = [...document.querySelectorAll('tr[data-id]')].map(tr => tr.dataset.id),
        at = rows.indexOf(cursor);
    if (e.key === 'j' || e.key === 'k') {
        cursor = rows[Math.min(rows.length - 1, Math.max(0, at + (e.key === 'j' ? 1 : -1)))] ?? null;
        document.querySelector(`tr[data-id="${cursor}"]`)?.scrollIntoView({ block: 'nearest' });
    } else if (e.key === 'x' && cursor && mayChange()) {
        if (!chosen.delete(cursor)) chosen.add(cursor);
    } else if (e.key === 'Enter' && cursor && e.target === document.body) {
        go(search('job', { id: cursor }));
    } else if (e.key === 'Escape') {
        chosen.clear();
    } else {
        return;
    }
    changed();
}
