/* Handlers and queues: traffic, lateness, policies, and the switch to pause them. */
import { h } from './preact.module.js';
import { askPause, mayChange, pause } from './actions.js';
import { askCancelAll } from './bulk.js';
import { BOUNDS, instances, pausedBy, readHandlers, readMinutes, readQueues, slots, traffic } from './derive.js';
import { spark } from './charts.js';
import {
    bar,
    button,
    card,
    colour,
    empty,
    firstLoad,
    handlerName,
    heads,
    icon,
    lateText,
    link,
    loaded,
    nameOfNumber,
    onOff,
    rate,
    stale,
    wide,
} from './parts.js';
import { now, search, state } from './state.js';
import { BLANK, SECOND, count, dur, instant, millis, n0, plural, quantile, terms } from './text.js';
import { share } from './overview.js';

const isAnswered = entry => entry.value || entry.error;
/** A slow answer must not keep anybody from a pause. */
const isSlow = entry => entry.asked && Date.now() - entry.asked > 3 * SECOND;

export function draw() {
    const entry = readHandlers(),
        hour = readMinutes();
    // Waits for both, because the busiest handlers come first, and rows that change places would jump.
    if (!isAnswered(entry) || !(isAnswered(hour) || isSlow(hour)))
        return { title: 'Handlers', body: firstLoad('Handlers') };
    return {
        title: 'Handlers',
        body: [
            (entry.value?.unhandled || []).map(one => unhandled(one, instant(entry.value.countedAt))),
            h('section', { class: 'card', 'aria-label': 'Handlers', key: 'handlers' }, loaded(entry, table)),
            card('Queues', 'of the whole cluster', stale(readQueues()), loaded(readQueues(), queues, 3)),
        ],
    };
}

function unhandled(one, countedAt) {
    const oldest =
        one.oldestDue && instant(one.oldestDue) < now()
            ? `, the oldest due for ${dur(now() - instant(one.oldestDue))}`
            : '';
    return h(
        'div',
        { class: 'note s-ready', key: one.name },
        icon('handlers'),
        h(
            'div',
            { class: 'grow' },
            h('b', { class: 'clip2', title: one.name }, `Nobody runs ${one.name}.`),
            h(
                'p',
                null,
                `${count(one.jobs, one.precision)} ${plural(one.jobs, 'job')} of that name ${plural(one.jobs, 'waits', 'wait')}${oldest}, and no instance has such a handler. If it was renamed, add `,
                h('span', { class: 'mono clip2' }, `formerNames = "${one.name}"`),
                ' to the new handler. If it is gone for good, cancel its jobs.',
            ),
        ),
        h(
            'div',
            { class: 'row' },
            mayChange() && button('Cancel…', () => askCancelAll(one.name, one.jobs, one.precision, countedAt), { cls: 's bad' }),
            link(search('jobs', { name: one.name }), { class: 'btn s' }, 'See the jobs'),
        ),
    );
}

/** Returns a switch if changes are allowed, otherwise a word. */
const control = (kind, name, paused) =>
    mayChange()
        ? onOff(!paused, (paused ? 'Resume ' : 'Pause ') + name.slice(0, 80), () =>
              paused ? pause(kind, name, false) : askPause(kind, name),
          )
        : h('span', { class: paused ? 'st s-paused' : 'mut' }, paused ? 'paused' : 'on');

/** Tells how many instances run the handler, unless all do. */
function where({ instances: on }) {
    const all = instances().filter(instance => instance.vitals?.worker !== false).length;
    return on?.length < all && `${n0(on.length)} of ${n0(all)} instances`;
}

/** What limits the starts of a handler's jobs, and how long they are kept. */
const limits = handler =>
    [
        handler.concurrency && `at most ${handler.concurrency}${handler.scope ? ' in the cluster' : ''}`,
        handler.rate && handler.rate + (handler.rateBy ? ', by key' : ''),
        handler.mutex && 'one at a time by key',
        handler.fairBy && 'in turns by key',
        handler.expiresAfter && 'expires after ' + dur(millis(handler.expiresAfter)),
        handler.keepFor && 'kept for ' + dur(millis(handler.keepFor)),
        where(handler),
    ]
        .filter(Boolean)
        .join(' · ');

function table({ handlers, elsewhere, waiting = {} }) {
    const minutes = readMinutes().value,
        busy = minutes?.handlers ? traffic(minutes) : new Map(),
        bounds = minutes?.bounds?.map(millis) || BOUNDS;
    if (!handlers.length)
        return empty(
            'handlers',
            'This instance has no handlers',
            elsewhere.length
                ? `Other instances run ${elsewhere.join(', ')}.`
                : 'Annotate a method with @DelayedJob to make it a handler.',
        );
    const sorted = [...handlers].sort(
        (a, b) => (busy.get(b.name)?.rate || 0) - (busy.get(a.name)?.rate || 0) || a.name.localeCompare(b.name),
    );
    return [
        wide(
            'Handlers',
            h(
                'table',
                { class: 'handlers' },
                heads(
                    'Handler',
                    'Queue',
                    ['Starts', 'right'],
                    'Last hour',
                    ['Late, p99', 'right'],
                    ['Takes', 'right'],
                    ['Fails', 'right'],
                    ['Waiting', 'right'],
                    'Repeats and retries',
                    ['On', 'right'],
                ),
                h(
                    'tbody',
                    null,
                    sorted.map(handler => {
                        const hour = busy.get(handler.name),
                            wait = waiting[handler.name],
                            own = state.pulse?.paused.handlers.includes(handler.name);
                        return h(
                            'tr',
                            { key: handler.name },
                            h(
                                'td',
                                { class: 'hcell' },
                                link(search('jobs', { name: handler.name }), null, handlerName(handler.name, true)),
                                h(
                                    'div',
                                    {
                                        class: 'two clip indent',
                                        title: own ? pausedBy('HANDLER', handler.name) : handler.method,
                                    },
                                    own
                                        ? h(
                                              'span',
                                              { class: 'st s-paused' },
                                              'paused ',
                                              pausedBy('HANDLER', handler.name),
                                          )
                                        : handler.method || BLANK,
                                ),
                            ),
                            h(
                                'td',
                                null,
                                h('div', { class: 'clip', title: handler.queue }, handler.queue),
                                h(
                                    'div',
                                    { class: 'two wraps', title: (handler.instances || []).map(nameOfNumber).join(', ') },
                                    limits(handler),
                                ),
                            ),
                            h('td', { class: 'right' }, rate(hour?.rate)),
                            h(
                                'td',
                                null,
                                hour
                                    ? spark(hour.starts.slice(0, -1), {
                                          w: 64,
                                          ht: 20,
                                          cls: 'k' + colour(handler.name),
                                      })
                                    : null,
                            ),
                            h('td', { class: 'right' }, hour ? lateText(quantile(hour.late, bounds, 0.99)) : '–'),
                            h(
                                'td',
                                { class: 'right' },
                                dur(hour?.takes ?? null),
                                handler.timeout && h('div', { class: 'two' }, 'at most ', dur(millis(handler.timeout))),
                            ),
                            h('td', { class: 'right' }, share(hour?.bad)),
                            h('td', { class: 'right mut' }, wait ? count(wait.count, wait.precision) : '–'),
                            h(
                                'td',
                                null,
                                h('div', { class: handler.schedule ? '' : 'mut' }, handler.schedule ? terms(handler.schedule) : 'once'),
                                h(
                                    'div',
                                    { class: 'two clip', title: handler.retry && terms(handler.retry) },
                                    handler.delivery === 'AT_MOST_ONCE'
                                        ? 'no retry: AT_MOST_ONCE'
                                        : handler.retry
                                          ? terms(handler.retry)
                                          : 'default retries',
                                ),
                            ),
                            h('td', { class: 'right' }, control('handlers', handler.name, own)),
                        );
                    }),
                ),
            ),
        ),
        elsewhere.length
            ? h(
                  'div',
                  { class: 'tfoot' },
                  h(
                      'span',
                      null,
                      'Only on other instances: ',
                      elsewhere.map((name, i) => [i ? ', ' : '', h('b', { key: name }, name)]),
                  ),
              )
            : null,
    ];
}

function queues({ queues }) {
    const use = slots();
    return wide(
        'Queues',
        h(
            'table',
            null,
            heads('Queue', ['Slots in use', 'right'], '', ['About to start', 'right'], 'Partitions', ['On', 'right']),
            h(
                'tbody',
                null,
                queues.map(queue => {
                    const all = use.get(queue.name) || queue,
                        paused = state.pulse?.paused.queues.includes(queue.name);
                    const led = instances().filter(instance =>
                        instance.vitals?.partitions?.some(partition => partition.startsWith(queue.name + '-p')),
                    ).length;
                    return h(
                        'tr',
                        { key: queue.name },
                        h(
                            'td',
                            null,
                            h('b', { class: 'clip', title: queue.name }, queue.name),
                            paused && [
                                ' ',
                                h('span', { class: 'pill s-paused' }, 'paused ', pausedBy('QUEUE', queue.name)),
                            ],
                            queue.rate && h('div', { class: 'two' }, queue.rate),
                        ),
                        h('td', { class: 'right' }, `${all.running} of ${all.concurrency}`),
                        h('td', null, bar(all.concurrency ? all.running / all.concurrency : 0)),
                        h('td', { class: 'right' }, all.claimed || '–'),
                        h(
                            'td',
                            { class: 'mut' },
                            queue.partitionCount
                                ? `${queue.partitionCount}, led by ${led} ${plural(led, 'instance')}`
                                : '–',
                        ),
                        h('td', { class: 'right' }, control('queues', queue.name, paused)),
                    );
                }),
            ),
        ),
    );
}
