/* Cluster: the instances and their partitions, the store's answer times, and the latest events. */
import { h } from './preact.module.js';
import { BOUNDS, countOf, instances, readQueues, slots } from './derive.js';
import { Fluid, chart, legend } from './charts.js';
import {
    bar,
    card,
    empty,
    facts,
    firstLoad,
    heads,
    instanceName,
    jobLink,
    lateText,
    loaded,
    note,
    rate,
    time,
    wide,
} from './parts.js';
import { now, state } from './state.js';
import {
    BLANK,
    ago,
    capital,
    dur,
    instant,
    measured,
    millis,
    n0,
    number,
    plural,
    quantile,
    short,
    when,
} from './text.js';

const STATES = {
    ALIVE: ['finished', 'Alive'],
    LATE: ['ready', 'Late'],
    STOPPING: ['paused', 'Stopping'],
    UNSEEN: ['cancelled', 'Unseen'],
};
const LEVELS = { GOOD: 'finished', INFO: 'paused', WARN: 'ready', BAD: 'failed' };

const CALLS = { claim: 'Claim', complete: 'Complete', submit: 'Schedule' };

export function draw() {
    if (!state.pulse) return { title: 'Cluster', body: firstLoad('Instances') };
    const late = instances().filter(instance => instance.state === 'LATE'),
        events = [...state.events].reverse();
    return {
        title: 'Cluster',
        body: [
            late.map(instance => note('late', 'cluster', `${instanceName(instance)} is late.`, whatThen(instance))),
            h(
                'section',
                { class: 'card', 'aria-label': 'Instances', key: 'instances' },
                table(),
            ),
            h(
                'div',
                { class: 'cols', key: 'cols' },
                h(
                    'div',
                    { class: 'c8' },
                    card(
                        'Partitions',
                        'the instance that reads the rows of each partition ahead',
                        late.length ? legend([['hatch s-ready', 'changes hands soon']]) : null,
                        h('div', { class: 'in' }, partitions()),
                    ),
                ),
                h('div', { class: 'c4' }, store()),
            ),
            card(
                'Lately',
                `as ${instanceName(instances().find(i => i.self) || { incarnation: 'this instance' })} saw it`,
                null,
                !events.length
                    ? empty(
                          'cluster',
                          'Nothing has happened',
                          'Events appear here: instances that join, leave or are removed, pauses, and rescues.',
                      )
                    : h(
                          'ul',
                          { class: 'list flush' },
                          events.slice(0, 30).map(event =>
                              h(
                                  'li',
                                  {
                                      key: event.at + event.says,
                                      class: 's-' + (LEVELS[event.level] || 'cancelled'),
                                  },
                                  h(
                                      'span',
                                      { class: 'mono mut when' },
                                      time(instant(event.at), when(instant(event.at), now())),
                                  ),
                                  h('i', { class: 'dot' }),
                                  h('span', { class: 'wraps' }, event.says, whose(event)),
                              ),
                          ),
                      ),
            ),
        ],
    };
}

/** The author and the reason of a pause, while it lasts. */
function whose({ kind, name }) {
    const pause = state.pulse?.paused.details.find(each => each.kind + '_PAUSED' === kind && each.name === name);
    if (!pause?.by && !pause?.reason) return null;
    return h('span', { class: 'mut' }, ' ', capital([pause.by && 'by ' + pause.by, pause.reason].filter(Boolean).join(': ')));
}

function whatThen(instance) {
    const running = Object.values(instance.vitals?.slots || {}).reduce((sum, use) => sum + use.running, 0),
        led = instance.vitals?.partitions?.length || 0;
    const rest = instance.givenUpAfter ? millis(instance.givenUpAfter) - millis(instance.heartbeatAge) : null;
    return (
        `Its last heartbeat is ${dur(millis(instance.heartbeatAge))} old. If none comes${rest > 0 ? ' within ' + dur(rest) : ' soon'}, the others remove it: ` +
        `${running ? `its ${number(running)} ${plural(running, 'attempt')} ${plural(running, 'is', 'are')} made again elsewhere, and ` : ''}the others take over its ${led ? number(led) + ' ' : ''}${plural(led, 'partition')}. No job is lost.`
    );
}

/**
 * Draws the last heartbeats. The page knows only the age of the latest one, so the missing ones are those since then.
 */
function heartbeats(instance) {
    const missed =
            instance.state === 'LATE' ? Math.min(10, Math.max(2, Math.floor(millis(instance.heartbeatAge) / 2000))) : 0,
        n = 12;
    const heart = i => `M${i * 8} 14h2l1.5-8 1.5 13 1.5-5h1.5`;
    return h(
        'svg',
        { width: 98, height: 22, viewBox: '0 0 98 22', 'aria-hidden': 'true' },
        h('path', { class: 'ln', d: Array.from({ length: n - missed }, (_, i) => heart(i)).join('') }),
        missed
            ? h('path', {
                  class: 'axis',
                  d: Array.from({ length: missed }, (_, i) => `M${(n - missed + i) * 8 + 1} 14h5`).join(''),
              })
            : null,
    );
}

function table() {
    return wide(
        'Instances',
        h(
            'table',
            null,
            heads(
                'Instance',
                'State',
                'Heartbeats',
                ['Last', 'right'],
                ['Slots in use', 'right'],
                '',
                ['Starts', 'right'],
                ['Late, p99', 'right'],
                ['In memory', 'right'],
                'Longest run',
                ['Clock', 'right'],
                ['Up', 'right'],
            ),
            h(
                'tbody',
                null,
                instances().map((instance, i) => {
                    const { vitals } = instance,
                        [kind, word] = STATES[instance.state],
                        use = Object.values(vitals?.slots || {});
                    const all = use.reduce((sum, slot) => sum + slot.concurrency, 0),
                        taken = use.reduce((sum, slot) => sum + slot.running, 0);
                    const age = millis(instance.heartbeatAge);
                    return h(
                        'tr',
                        { key: instance.incarnation, class: 's-' + kind },
                        h(
                            'td',
                            { class: 'hcell' },
                            h(
                                'span',
                                { class: 'row' },
                                h(
                                    'span',
                                    {
                                        class: 'avatar k' + (vitals?.worker === false ? 6 : (i % 5) + 1),
                                        'aria-hidden': 'true',
                                    },
                                    vitals?.worker === false
                                        ? instanceName(instance).charAt(0)
                                        : instanceName(instance).slice(-1),
                                ),
                                h(
                                    'span',
                                    null,
                                    h('b', { title: instance.incarnation }, instanceName(instance)),
                                    instance.self && [' ', h('span', { class: 'pill out' }, 'answers you')],
                                    h(
                                        'div',
                                        { class: 'two mono' },
                                        instance.number,
                                        ' · ',
                                        instance.incarnation.split('#').pop().slice(0, 8),
                                    ),
                                ),
                            ),
                        ),
                        h('td', null, h('span', { class: 'pill' }, word)),
                        h('td', null, heartbeats(instance)),
                        h(
                            'td',
                            { class: 'right' },
                            instance.state === 'LATE' ? h('span', { class: 'st' }, dur(age)) : dur(age),
                        ),
                        h('td', { class: 'right' }, all ? `${n0(taken)} of ${n0(all)}` : '–'),
                        h(
                            'td',
                            null,
                            all
                                ? bar(taken / all, 's-accent')
                                : h('span', { class: 'mut' }, vitals ? 'schedules only' : ''),
                        ),
                        h('td', { class: 'right' }, rate(vitals?.startsPerSecond)),
                        h('td', { class: 'right' }, vitals?.late ? lateText(quantile(vitals.late, BOUNDS, 0.99)) : '–'),
                        h('td', { class: 'right' }, all ? n0(vitals.waiting) : '–'),
                        h('td', null, longest(vitals?.longestRunning)),
                        h('td', { class: 'right mut' }, vitals?.clockSkew ? measured(millis(vitals.clockSkew)) : '–'),
                        h(
                            'td',
                            { class: 'right mut' },
                            vitals?.since ? dur(now() - instant(vitals.since)) : '–',
                            h('div', { class: 'two' }, vitals?.version || BLANK),
                        ),
                    );
                }),
            ),
        ),
    );
}

/** Draws the attempt that has been under way for the longest time. */
function longest(run) {
    return run
        ? [
              jobLink(run.id, null, time(instant(run.since), dur(Math.max(0, now() - instant(run.since))))),
              h('div', { class: 'two clip', title: run.name }, run.name),
          ]
        : '–';
}

function partitions() {
    const entry = readQueues();
    return loaded(entry, ({ queues }) => {
        const leaders = new Map(),
            late = new Set();
        instances().forEach((instance, i) => {
            if (instance.state === 'LATE') late.add(i);
            for (const partition of instance.vitals?.partitions || []) leaders.set(partition, i);
        });
        const columns = Math.max(1, ...queues.map(queue => queue.partitionCount || 0)),
            rh = 42,
            height = queues.length * rh + 20;
        const key = JSON.stringify([[...leaders], [...late]]);
        return h(Fluid, {
            height,
            on: [queues, key],
            draw: w => {
                const left = 92,
                    cw = (w - left) / columns;
                const label = queues
                    .map(
                        queue =>
                            `${queue.name}: ${Array.from({ length: queue.partitionCount || 0 }, (_, p) => named(leaders.get(`${queue.name}-p${p}`))).join(', ')}`,
                    )
                    .join('; ');
                return chart(
                    w,
                    height,
                    'Leaders of the partitions. ' + label.slice(0, 2000),
                    Array.from({ length: columns }, (_, p) =>
                        h('text', { key: p, x: left + (p + 0.5) * cw, y: 11, 'text-anchor': 'middle' }, 'p' + p),
                    ),
                    queues.map((queue, i) =>
                        h(
                            'g',
                            { key: queue.name },
                            h(
                                'text',
                                { x: 0, y: 20 + i * rh + 24, class: 'strong' },
                                h('title', null, queue.name),
                                queue.name.length > 13 ? queue.name.slice(0, 12) + '…' : queue.name,
                            ),
                            Array.from({ length: queue.partitionCount || 0 }, (_, p) => {
                                const leader = leaders.get(`${queue.name}-p${p}`);
                                return h(
                                    'g',
                                    { key: p, class: leader === undefined ? 'k6' : 'k' + ((leader % 5) + 1) },
                                    h('rect', {
                                        x: left + p * cw + 2,
                                        y: 20 + i * rh + 2,
                                        width: cw - 4,
                                        height: rh - 6,
                                        rx: 6,
                                        class:
                                            'cell' +
                                            (late.has(leader) ? ' leaving' : leader === undefined ? ' free' : ''),
                                    }),
                                    cw > 44 &&
                                        h(
                                            'text',
                                            {
                                                class: 'partition',
                                                x: left + (p + 0.5) * cw,
                                                y: 20 + i * rh + 24,
                                                'text-anchor': 'middle',
                                            },
                                            named(leader).slice(0, Math.floor(cw / 7)),
                                        ),
                                );
                            }),
                        ),
                    ),
                );
            },
        });
    });
}
const named = leader => (leader === undefined ? '–' : instanceName(instances()[leader]));

function store() {
    const { store } = state.pulse,
        skew = store?.clockSkew && millis(store.clockSkew);
    return card(
        'Store',
        store?.product,
        null,
        h(
            'div',
            { class: 'in' },
            facts([
                ...(store?.calls || []).map(call => [
                    CALLS[call.operation],
                    measured(millis(call.mean)),
                    `mean · ${measured(millis(call.max))} at most`,
                ]),
                store?.clockSkew && [
                    'Clock',
                    measured(Math.abs(skew)),
                    skew >= 0 ? 'ahead of the machine' : 'behind the machine',
                ],
                ['Waiting', countOf('DELAYED'), 'jobs'],
                ['Ended', countOf('FINISHED'), 'finished, still kept'],
                store?.bytes && ['Size', short(store.bytes) + 'B', 'with indexes'],
                [
                    'Slots',
                    n0([...slots().values()].reduce((sum, use) => sum + use.concurrency, 0)),
                    'on all instances',
                ],
                ['Counted', ago(instant(state.pulse.countedAt), now())],
            ]),
        ),
    );
}
