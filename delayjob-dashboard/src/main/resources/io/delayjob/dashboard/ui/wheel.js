/* Live wheel: the way of jobs from the database through the memory of this instance to their start. */
import { h } from './preact.module.js';
import { countOf, instances, iso, readDueHour, self } from './derive.js';
import { read } from './api.js';
import { legend } from './charts.js';
import { card, choice, empty, heads, instanceName, jobLink, note, wide } from './parts.js';
import { changed, now, state } from './state.js';
import { BLANK, MINUTE, clock, count, cut, dur, instant, leastExact, millis, n0, plural, short, total } from './text.js';
import { Canvas, levelStrip, seismograph, setPace, wheelPicture, pace } from './wheelcanvas.js';

const PACES = [
    [1, 'real time'],
    [0.1, '1 : 10'],
    [0, 'still'],
];
const HOLDS = [
    'the next tick',
    'the current slot of level 2',
    'jobs that were read ahead',
    'jobs that were scheduled here and are due soon, and the engine’s own timers',
];

export function draw() {
    const hour = readDueHour().value,
        begin = Math.floor(now() / (15 * MINUTE)) * 15 * MINUTE;
    const day = read('due-24h', `due?from=${iso(begin)}&width=15m&buckets=96`, MINUTE).value;
    const wheel = state.pulse?.wheel,
        own = self(),
        rates = own?.vitals;
    return {
        title: 'Live wheel',
        body: [
            h(
                'div',
                { class: 'row wrap', key: 'bar' },
                h(
                    'ul',
                    { class: 'seg', 'aria-label': 'Jobs in memory' },
                    instances()
                        .filter(instance => instance.vitals?.worker)
                        .map(instance =>
                            h(
                                'li',
                                {
                                    key: instance.incarnation,
                                    class:
                                        (instance.self ? 'on ' : '') +
                                        (instance.state === 'LATE' ? 's-late' : 's-alive'),
                                    title: instance.self ? 'This instance answers you' : 'Shown when it answers you',
                                },
                                h('i', { class: 'dot' }),
                                instanceName(instance),
                                h('span', { class: 'n' }, short(instance.vitals.waiting)),
                            ),
                        ),
                ),
                h('div', { class: 'grow' }),
                h('span', { class: 'mut', id: 'pace' }, 'Pace'),
                choice('Pace', PACES, pace(), value => {
                    setPace(value);
                    changed();
                }),
            ),
            state.pulse && !wheel
                ? note(
                      'plain',
                      'info',
                      'This instance shows no wheel.',
                      'It only schedules jobs, or does not report the slots of its wheel.',
                  )
                : null,
            h(
                'div',
                { class: 'cols', key: 'cols' },
                h(
                    'section',
                    { class: 'card c7 wheelcard', 'aria-label': 'Wheel' },
                    h(Canvas, {
                        cls: 'wheel',
                        label: picture(wheel, rates),
                        draw: wheelPicture,
                        data: { hour, day, rates },
                    }),
                    h(
                        'div',
                        { class: 'wl tl' },
                        h('b', null, 'Stored'),
                        h('span', null, state.pulse ? `${countOf('DELAYED')} jobs in the database` : BLANK),
                        h(
                            'span',
                            null,
                            hour
                                ? `${count(total(hour.due), leastExact(hour.precision))} due within the hour`
                                : BLANK,
                        ),
                    ),
                    wheel &&
                        h(
                            'div',
                            { class: 'wl tr' },
                            h('b', { class: 's-accent' }, 'In memory'),
                            h('span', null, `${n0(wheel.size)} of ${n0(wheel.capacity)} jobs`),
                            h(
                                'span',
                                null,
                                wheel.nextDue
                                    ? `next start in ${dur(Math.max(0, instant(wheel.nextDue) - instant(wheel.at)))}`
                                    : 'nothing becomes due',
                            ),
                        ),
                    wheel &&
                        h(
                            'div',
                            { class: 'wl bl' },
                            h('span', null, `lag of the wheel ${dur(millis(wheel.lag))}`),
                            h('span', null, `${short(wheel.cancelled)} cancelled since its start`),
                        ),
                    wheel &&
                        h(
                            'div',
                            { class: 'wl br' },
                            h('span', null, `${short(wheel.cascades)} cascades since its start`),
                            h(
                                'span',
                                null,
                                wheel.lastRead
                                    ? `last read ${dur(Math.max(0, now() - instant(wheel.lastRead.at)))} ago: ${n0(wheel.lastRead.rows)} rows in ${dur(millis(wheel.lastRead.took))}`
                                    : BLANK,
                            ),
                        ),
                ),
                h(
                    'div',
                    { class: 'c5 stack last-grows' },
                    card(
                        'Lateness',
                        'starts of the last minute',
                        legend([
                            ['s-finished', '≤ 10 ms'],
                            ['s-ready', '≤ 100 ms'],
                            ['s-failed', 'more'],
                        ]),
                        h(
                            'div',
                            { class: 'in' },
                            h(Canvas, { cls: 'seis', label: starts(), draw: seismograph, slow: true }),
                        ),
                    ),
                    card(
                        'Starting now',
                        rates
                            ? `${short(rates.startsPerSecond)} a second here${rates.startsPerSecond > 60 ? '; a part is shown' : ''}`
                            : '',
                        null,
                        tail(),
                    ),
                ),
            ),
            wheel && card('Levels', '256 slots each; the line marks the present time', null, levels(wheel)),
        ],
    };
}

const picture = (wheel, rates) =>
    wheel
        ? `Jobs on their way: stored for the next 24 hours and the next hour, in memory for the next ${dur(millis(wheel.window))}. ${n0(wheel.size)} are in memory` +
          (rates ? `, ${short(rates.startsPerSecond)} start a second` : '') +
          '. The same numbers are in the table below.'
        : 'Jobs on their way.';

function starts() {
    const list = state.starts.map(start => start.lateMillis);
    return list.length
        ? `Lateness of ${n0(list.length)} starts of the last minute: ${n0(list.filter(ms => ms <= 10).length)} within 10 ms, the slowest ${dur(Math.max(...list))}`
        : 'No start in the last minute';
}

function tail() {
    const newest = state.starts.slice(-10).reverse();
    if (!newest.length) return empty('clock', 'No start in the last minute', '');
    return h(
        'ol',
        { class: 'tail', 'aria-label': 'Latest starts' },
        newest.map(start =>
            h(
                'li',
                {
                    key: start.id + start.at,
                    class: start.lateMillis <= 10 ? 's-finished' : start.lateMillis <= 100 ? 's-ready' : 's-failed',
                },
                h('span', { class: 'mono mut' }, clock(start.t, true).slice(3)),
                h('span', { class: 'lt st num' }, '+' + dur(start.lateMillis)),
                jobLink(start.id, { class: 'grow clip' }, start.name),
                h('span', { class: 'mono mut clip key' }, cut(start.key, 60) || ''),
            ),
        ),
    );
}

function levels(wheel) {
    const all = [...wheel.levels].sort((a, b) => b.level - a.level);
    return wide(
        'Slots of the levels',
        h(
            'table',
            { class: 'levels' },
            heads('Level', ['Slot', 'right'], ['Turn', 'right'], ['Jobs', 'right'], 'Slots', 'Holds'),
            h(
                'tbody',
                null,
                all.map(level => {
                    const width = millis(level.slotWidth);
                    return h(
                        'tr',
                        { key: level.level },
                        h('td', null, h('b', null, level.level)),
                        h('td', { class: 'right' }, dur(width)),
                        h('td', { class: 'right' }, dur(width * 256)),
                        h('td', { class: 'right' }, n0(level.timers)),
                        h(
                            'td',
                            { class: 'stripcell' },
                            level.level
                                ? h(Canvas, {
                                      cls: 'strip',
                                      draw: levelStrip,
                                      data: { level: level.level },
                                      label: `${n0(level.slots.length)} ${plural(level.slots.length, 'slot')} occupied`,
                                  })
                                : h('span', { class: 'mut' }, 'too fast to draw'),
                        ),
                        h('td', { class: 'mut' }, HOLDS[level.level] || ''),
                    );
                }),
            ),
        ),
    );
}
