/* Overview: whether jobs are on time, and what needs attention. */
import { h } from './preact.module.js';
import {
    BOUNDS,
    attention,
    countOf,
    instances,
    lately,
    readDueHour,
    readFailures,
    readHandlers,
    readMinutes,
    slots,
    sumBuckets,
    traffic,
} from './derive.js';
import { Fluid, axisX, axisY, chart, describe, grid, heatmap, legend, spark, stacked, ticks } from './charts.js';
import {
    bar,
    card,
    colour,
    empty,
    handlerName,
    heads,
    icon,
    lateText,
    link,
    loaded,
    rate,
    stale,
    wide,
} from './parts.js';
import { now, state } from './state.js';
import {
    BLANK,
    MINUTE,
    capital,
    count,
    dur,
    hm,
    instant,
    leastExact,
    millis,
    n0,
    number,
    plural,
    quantile,
    short,
    total,
} from './text.js';

export function draw() {
    return {
        title: 'Overview',
        body: [
            headline(),
            tiles(),
            h('div', { class: 'cols', key: 'a' }, latenessCard(), attentionCard()),
            h('div', { class: 'cols', key: 'b' }, dueCard(), startsCard()),
            handlersCard(),
        ],
    };
}

function headline() {
    const hist = lately(),
        workers = instances().filter(instance => instance.vitals?.worker).length,
        looks = attention().length;
    const on = workers ? `, on ${number(workers)} ${plural(workers, 'instance')}` : '';
    const sentence = !state.pulse
        ? BLANK
        : total(hist)
          ? [
                'Jobs start ',
                h('em', null, dur(quantile(hist, BOUNDS, 0.5))),
                ' after their time, 99 of 100 within ',
                h('em', null, dur(quantile(hist, BOUNDS, 0.99))),
                '.',
            ]
          : 'No job has started in the last five minutes.';
    return h(
        'div',
        { class: 'hero', key: 'hero' },
        h(
            'div',
            { class: 'grow' },
            h('h2', null, sentence),
            h(
                'p',
                null,
                state.pulse
                    ? (total(hist) ? `Over the last five minutes${on}. ` : '') +
                          (looks
                              ? capital(number(looks)) + plural(looks, ' thing needs', ' things need') + ' attention.'
                              : 'Nothing needs attention.')
                    : BLANK,
            ),
        ),
    );
}

const tile = (label, value, unit, detail, decoration, cls) =>
    h(
        'dl',
        { class: 'tile ' + (cls || ''), key: label },
        h(
            'div',
            null,
            h('dt', null, label),
            h('dd', { class: 'v' }, value, unit && h('small', null, unit)),
            h('dd', { class: 'd', title: detail }, detail || BLANK),
        ),
        decoration && h('div', { class: 'sp', 'aria-hidden': 'true' }, decoration),
    );

function tiles() {
    const hist = lately(),
        minutes = readMinutes().value,
        failures = readFailures().value,
        jobs = state.pulse?.jobs;
    const p99 = quantile(hist, BOUNDS, 0.99),
        [value, unit] = p99 === null ? ['–', ''] : dur(p99).split(/ (.*)/);
    const perSecond = total(instances().map(instance => instance.vitals?.startsPerSecond || 0));
    const use = [...slots().values()],
        all = total(use.map(slot => slot.concurrency)),
        taken = total(use.map(slot => slot.running));
    const longest = Math.max(
        0,
        ...instances()
            .map(instance => instance.vitals?.longestRunning)
            .filter(Boolean)
            .map(run => now() - instant(run.since)),
    );
    const failed = failures && total(failures.groups.map(group => group.count)),
        lastHour = failures && total(failures.groups.map(group => group.buckets.at(-1)));
    const unhandled = total((readHandlers().value?.unhandled || []).map(one => one.jobs));
    const half = minutes?.late.slice(-30).map(column => Math.log1p(quantile(column, BOUNDS, 0.99) || 0)) || [];
    return h(
        'div',
        { class: 'tiles', key: 'tiles' },
        tile(
            'Lateness, p99',
            value,
            unit,
            total(hist)
                ? `p50 ${dur(quantile(hist, BOUNDS, 0.5))} · p99.9 ${dur(quantile(hist, BOUNDS, 0.999))}`
                : '',
            spark(half),
        ),
        tile(
            'Starts',
            jobs ? short(perSecond) : '–',
            'a second',
            minutes?.starts.length > 1 ? n0(minutes.starts.at(-2)) + ' in the last minute' : '',
            spark(minutes?.starts.slice(-31, -1) || [], { cls: 'k2' }),
        ),
        tile(
            'Running',
            jobs ? n0(taken) : '–',
            all ? `of ${n0(all)} slots` : '',
            longest ? 'the longest for ' + dur(longest) : '',
            all ? bar(taken / all) : null,
        ),
        tile(
            'Due, not started',
            jobs ? countOf('READY') : '–',
            '',
            state.pulse?.oldestDue
                ? 'oldest ' +
                      dur(Math.max(0, now() - instant(state.pulse.oldestDue))) +
                      (unhandled ? ` · ${count(unhandled)} have no handler` : '')
                : jobs
                  ? 'none is overdue'
                  : '',
        ),
        tile(
            'Failed',
            failed === undefined ? '–' : n0(failed),
            'in 24 h',
            failed
                ? lastHour
                    ? `${n0(lastHour)} of them in the last hour`
                    : 'none in the last hour'
                : failed === 0
                  ? 'nothing has failed'
                  : '',
            failed ? spark(sumBuckets(failures.groups), { bars: true, cls: 's-failed' }) : null,
            failed ? 'bad' : '',
        ),
    );
}

const off = minutes =>
    millis(minutes.retention) === 0
        ? empty('timetable', 'No statistics', 'delayjob.statistics.retention is 0, so nothing is kept about the past.')
        : null;

function latenessCard() {
    const entry = readMinutes(),
        height = 292;
    return h(
        'div',
        { class: 'c8' },
        card(
            'Lateness',
            'start minus due time, last hour',
            [
                stale(entry),
                legend([
                    ['s-now', 'p99', true],
                    ['s-fg', 'p50', true],
                ]),
            ],
            h(
                'div',
                { class: 'in tall-' + height },
                loaded(
                    entry,
                    minutes =>
                        off(minutes) ||
                        h(Fluid, {
                            height,
                            on: [minutes],
                            draw: w =>
                                heatmap(w, height, {
                                    late: minutes.late,
                                    bounds: minutes.bounds.map(millis),
                                    t: i => instant(minutes.from) + i * MINUTE,
                                }),
                        }),
                    6,
                ),
            ),
        ),
    );
}

function attentionCard() {
    const list = attention();
    return h(
        'div',
        { class: 'c4' },
        card(
            'Needs attention',
            '',
            null,
            !state.pulse
                ? null
                : !list.length
                  ? empty('check', 'All is well', 'Jobs start on time, every name has a handler, nothing is paused.')
                  : h(
                        'ul',
                        { class: 'list flush' },
                        list
                            .slice(0, 6)
                            .map(([kind, ic, title, text, to]) =>
                                h(
                                    'li',
                                    { key: title, class: 's-' + kind },
                                    h('span', { class: 'st' }, icon(ic)),
                                    h(
                                        'div',
                                        { class: 'grow' },
                                        h('b', { class: 'lines', title }, title),
                                        h('div', { class: 'two lines', title: text }, text),
                                    ),
                                    link(
                                        to,
                                        { class: 'btn s icon', 'aria-label': 'See: ' + title.slice(0, 80) },
                                        icon('right', 14),
                                    ),
                                ),
                            ),
                    ),
        ),
    );
}

function dueCard() {
    const entry = readDueHour(),
        height = 186,
        due = entry.value;
    const note = due
        ? `${count(total(due.due), leastExact(due.precision))} jobs`
        : '';
    return h(
        'div',
        { class: 'c7' },
        card(
            'Due in the next hour',
            note,
            [stale(entry), link('?timetable', { class: 'btn s ghost' }, 'Timetable', icon('right', 14))],
            h(
                'div',
                { class: 'in gap tall-' + height },
                loaded(
                    entry,
                    () =>
                        !total(due.due)
                            ? empty('timetable', 'Nothing is due', 'No job becomes due in the next hour.')
                            : [
                                  h(Fluid, { height, on: [due], draw: w => dueChart(w, height, due) }),
                                  legend(
                                      (due.handlers || [])
                                          .slice(0, 6)
                                          .map(handler => ['k' + colour(handler.name), handler.name]),
                                  ),
                              ],
                    4,
                ),
            ),
        ),
    );
}

function dueChart(w, height, due) {
    const from = instant(due.from),
        t = i => from + i * millis(due.width),
        max = Math.max(...due.due),
        n = due.due.length;
    const g = grid({ w, ht: height, n, max, top: 26 }),
        most = due.due.reduce((m, v, i) => (v > due.due[m] ? i : m), 0),
        mean = total(due.due) / n;
    const main = (due.handlers || []).reduce(
        (m, handler) => (handler.due[most] > (m?.due[most] || 0) ? handler : m),
        null,
    );
    const right = g.x(most) < w * 0.62;
    return chart(
        w,
        height,
        `Jobs due in each minute of the next hour: ${describe(due.due, t)}`,
        axisY(g, ticks(max)),
        due.handlers?.length
            ? stacked(
                  g,
                  due.handlers.map(handler => ({
                      name: handler.name,
                      cls: 'k' + colour(handler.name),
                      values: handler.due,
                  })),
              )
            : stacked(g, [{ name: 'all', cls: 'k1', values: due.due }]),
        due.due[most] > 2 * mean &&
            due.due[most] > 10 && [
                h(
                    'text',
                    {
                        class: 'strong halo',
                        x: g.x(most) + (right ? g.cw + 6 : -6),
                        y: 20,
                        'text-anchor': right ? 'start' : 'end',
                    },
                    `${hm(t(most))} · ${count(due.due[most], due.precision[most])} due`,
                ),
                main &&
                    h(
                        'text',
                        {
                            class: 'halo',
                            x: g.x(most) + (right ? g.cw + 6 : -6),
                            y: 35,
                            'text-anchor': right ? 'start' : 'end',
                        },
                        'mostly ' + main.name.slice(0, 40),
                    ),
            ],
        axisX(g, t, { named: { 0: 'now' } }),
    );
}

function startsCard() {
    const entry = readMinutes(),
        height = 218;
    return h(
        'div',
        { class: 'c5' },
        card(
            'Starts a minute',
            'last hour',
            [
                stale(entry),
                legend([
                    ['k1', 'ended well'],
                    ['s-retrying', 'retried or failed'],
                ]),
            ],
            h(
                'div',
                { class: 'in tall-' + height },
                loaded(
                    entry,
                    minutes =>
                        off(minutes) || h(Fluid, { height, on: [minutes], draw: w => startsChart(w, height, minutes) }),
                    4,
                ),
            ),
        ),
    );
}

function startsChart(w, height, minutes) {
    const t = i => instant(minutes.from) + i * MINUTE,
        bad = minutes.retried.map((n, i) => n + minutes.failed[i]);
    const max = Math.max(...minutes.starts),
        g = grid({ w, ht: height, n: minutes.starts.length, max });
    return chart(
        w,
        height,
        `Starts a minute in the last hour: ${describe(minutes.starts, t)}; ${n0(total(bad))} attempts failed`,
        axisY(g, ticks(max, 2)),
        stacked(g, [
            { name: 'bad', cls: 's-retrying', values: bad },
            { name: 'well', cls: 'k1 soft', values: minutes.starts.map((n, i) => Math.max(0, n - bad[i])) },
        ]),
        axisX(g, t),
    );
}

function handlersCard() {
    const entry = readMinutes();
    return card(
        'Handlers',
        'last hour',
        link('?handlers', { class: 'btn s ghost' }, 'All handlers', icon('right', 14)),
        loaded(entry, minutes => {
            const waiting = readHandlers().value?.waiting || {},
                bounds = minutes.bounds?.map(millis) || BOUNDS;
            const busiest = [...traffic({ ...minutes, handlers: minutes.handlers || [] }).values()]
                .sort((a, b) => b.rate - a.rate)
                .slice(0, 6);
            return !busiest.length
                ? empty('handlers', 'No handler has run', 'In the last hour no job has started.')
                : wide(
                      'Busiest handlers',
                      h(
                          'table',
                          null,
                          heads(
                              'Handler',
                              ['Starts', 'right'],
                              'Half an hour',
                              ['Lateness p50', 'right'],
                              ['p99', 'right'],
                              ['Takes', 'right'],
                              ['Fails', 'right'],
                              ['Waiting', 'right'],
                          ),
                          h(
                              'tbody',
                              null,
                              busiest.map(one =>
                                  h(
                                      'tr',
                                      { key: one.name },
                                      h(
                                          'td',
                                          null,
                                          link(
                                              '?jobs&name=' + encodeURIComponent(one.name),
                                              null,
                                              handlerName(one.name, true),
                                          ),
                                      ),
                                      h('td', { class: 'right' }, rate(one.rate)),
                                      h(
                                          'td',
                                          null,
                                          spark(one.starts.slice(-31, -1), {
                                              w: 84,
                                              ht: 20,
                                              cls: 'k' + colour(one.name),
                                          }),
                                      ),
                                      h('td', { class: 'right' }, dur(quantile(one.late, bounds, 0.5))),
                                      h('td', { class: 'right' }, lateText(quantile(one.late, bounds, 0.99))),
                                      h('td', { class: 'right' }, dur(one.takes)),
                                      h('td', { class: 'right' }, share(one.bad)),
                                      h(
                                          'td',
                                          { class: 'right mut' },
                                          waiting[one.name]
                                              ? count(waiting[one.name].count, waiting[one.name].precision)
                                              : '–',
                                      ),
                                  ),
                              ),
                          ),
                      ),
                  );
        }),
    );
}

export const share = part =>
    !part
        ? '–'
        : part >= 0.01
          ? h('span', { class: 'st s-failed' }, (100 * part).toFixed(1) + ' %')
          : part < 0.0001
            ? '< 0.01 %'
            : (100 * part).toFixed(2) + ' %';
