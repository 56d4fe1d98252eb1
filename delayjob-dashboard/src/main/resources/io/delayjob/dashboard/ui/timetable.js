/* Timetable: started jobs on the left of now, due jobs on the right, and a forecast of overload. */
import { h } from './preact.module.js';
import { read } from './api.js';
import { BOUNDS, countOf, iso, lately, readDueHour, readHandlers, readMinutes, slots, traffic } from './derive.js';
import { Fluid, axisX, axisY, chart, grid, legend, linePath, stacked, ticks } from './charts.js';
import {
    bar,
    card,
    choice,
    colour,
    empty,
    handlerName,
    heads,
    icon,
    jobLink,
    keyCell,
    link,
    loaded,
    note,
    stale,
    stateText,
    time,
    wide,
} from './parts.js';
import { changed, go, now, search, state } from './state.js';
import {
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    addTo,
    clock,
    count,
    cut,
    dur,
    hm,
    instant,
    leastExact,
    millis,
    n0,
    quantile,
    relative,
    short,
    total,
    when,
} from './text.js';

/** Spans: [ms, label, width of a column, columns ahead, columns back, step of the past, unit, every]. */
const SPANS = {
    '10m': { label: '10 min', width: 10 * SECOND, ahead: 60, step: MINUTE, back: 10, unit: '10 s', every: 5 * SECOND },
    '1h': { label: '1 h', width: MINUTE, ahead: 60, step: MINUTE, back: 59, unit: 'minute' },
    '24h': {
        label: '24 h',
        width: 15 * MINUTE,
        ahead: 96,
        step: 15 * MINUTE,
        back: 96,
        unit: 'quarter of an hour',
        every: MINUTE,
    },
    '7d': { label: '7 d', width: HOUR, ahead: 168, step: HOUR, back: 167, unit: 'hour', every: MINUTE },
    '30d': { label: '30 d', width: 6 * HOUR, ahead: 120, step: 6 * HOUR, back: 27, unit: 'six hours', every: MINUTE },
};
const AHEAD = { '10 min': 'ten minutes', '1 h': 'hour', '24 h': '24 hours', '7 d': 'seven days', '30 d': '30 days' };
const LATE = 100,
    LEFT = 52;

let selected = null;

const text = ms =>
    ms % DAY === 0
        ? ms / DAY + 'd'
        : ms % HOUR === 0
          ? ms / HOUR + 'h'
          : ms % MINUTE === 0
            ? ms / MINUTE + 'm'
            : ms / SECOND + 's';

export function draw(query) {
    const key = query.get('span') in SPANS ? query.get('span') : '1h',
        span = SPANS[key];
    const begin = Math.floor(now() / span.width) * span.width,
        past = Math.floor(now() / span.step) * span.step;
    const isHour = key === '1h',
        duePath = `due?from=${iso(begin)}&width=${text(span.width)}&buckets=${span.ahead}`,
        minutesPath = `minutes?from=${iso(past - span.back * span.step)}&step=${text(span.step)}`;
    const due = isHour ? readDueHour() : read('due-' + key, duePath, span.every);
    const minutes = isHour ? readMinutes() : read('minutes-' + key, minutesPath, MINUTE);
    const by = query.get('by') === 'queue' ? 'queue' : 'handler',
        queueOf = queueNames(),
        parts = partsOf(due.value?.handlers || [], by === 'queue' && queueOf);
    const model =
        due.value && minutes.value
            ? { ...modelOf(span, due.value, minutes.value, queueOf), parts, drawnBy: by + queueOf.size }
            : null;
    const show = (key, by) =>
        go(search('timetable', { span: key === '1h' ? null : key, by: by === 'queue' ? by : null }));
    return {
        title: 'Timetable',
        body: [
            h(
                'div',
                { class: 'row wrap', key: 'bar' },
                choice(
                    'Span',
                    Object.entries(SPANS).map(([value, one]) => [value, one.label]),
                    key,
                    value => {
                        selected = null;
                        show(value, by);
                    },
                ),
                choice(
                    'Stack',
                    [
                        ['handler', 'by handler'],
                        ['queue', 'by queue'],
                    ],
                    by,
                    value => show(key, value),
                ),
                stale(due),
                h('div', { class: 'grow' }),
                legend([
                    ...parts.slice(0, 6).map(part => ['k' + part.k, part.name]),
                    ['k6', 'started'],
                ]),
            ),
            h(
                'div',
                { class: 'cols', key: 'cols' },
                h(
                    'div',
                    { class: 'c9' },
                    h(
                        'section',
                        { class: 'card', 'aria-label': 'Jobs over time' },
                        model
                            ? charts(model, span)
                            : h(
                                  'div',
                                  { class: 'in tall-556' },
                                  loaded(due.value ? minutes : due, () => null, 9),
                              ),
                    ),
                ),
                h('div', { class: 'c3' }, model ? side(model, span) : h('section', { class: 'card' })),
            ),
            upcoming(),
        ],
    };
}

const queueNames = () => new Map(readHandlers().value?.handlers.map(handler => [handler.name, handler.queue]));

/** Due jobs by handler, or by queue if that of each handler is given: { name, due, k }, where k is the colour. */
function partsOf(handlers, queueOf) {
    if (!queueOf) return handlers.map(({ name, due }) => ({ name, due, k: colour(name) }));
    const sums = new Map();
    for (const { name, due } of handlers) {
        const queue = queueOf.get(name) ?? 'unknown here';
        sums.set(queue, addTo(sums.get(queue) || [], due));
    }
    return [...sums]
        .sort((a, b) => total(b[1]) - total(a[1]))
        .map(([name, due], i) => ({ name, due, k: Math.min(6, i + 1) }));
}

function modelOf(span, due, minutes, queueOf) {
    const split = span.step / span.width,
        bounds = minutes.bounds?.map(millis) || BOUNDS,
        began = instant(due.from);
    const pastFrom = minutes.from ? instant(minutes.from) : began;
    const past = (minutes.starts || [])
        .flatMap((n, i) =>
            Array.from({ length: split }, (_, part) => ({
                t: pastFrom + i * span.step + part * span.width,
                total: n / split,
                past: true,
                p99: quantile(minutes.late[i], bounds, 0.99),
            })),
        )
        .filter(column => column.t < began);
    const forecast = forecastOf(due, span, queueOf);
    const ahead = due.due.map((n, i) => ({
        t: began + i * span.width,
        total: n,
        past: false,
        precision: due.precision[i],
        ...forecast.columns[i],
    }));
    return {
        columns: [...past, ...ahead],
        now: past.length,
        due,
        minutes,
        can: forecast.can,
        whole: total(due.due),
        key: ahead.reduce((sum, column, i) => sum + column.late * (i + 1), 0),
    };
}

/**
 * Forecasts the work of each column: due jobs times mean run time, divided by the slots of the queue. Excess work is
 * carried over.
 */
function forecastOf(due, span, queueOf) {
    const hour = readMinutes().value,
        busy = hour?.handlers ? traffic(hour) : new Map();
    const use = slots(),
        usual = quantile(lately(), BOUNDS, 0.99);
    const carry = new Map(),
        work = new Map();
    const columns = due.due.map((_, i) => {
        const own = new Map();
        for (const handler of due.handlers || []) {
            const queue = queueOf.get(handler.name),
                takes = busy.get(handler.name)?.takes;
            if (queue && takes && use.get(queue)?.concurrency)
                own.set(queue, (own.get(queue) || 0) + handler.due[i] * takes);
        }
        let worst = { late: 0 };
        for (const [queue, ms] of own) {
            const room = use.get(queue).concurrency,
                rest = Math.max(0, (carry.get(queue) || 0) + ms - room * span.width);
            carry.set(queue, rest);
            work.set(queue, (work.get(queue) || 0) + ms);
            if (rest / room > worst.late) worst = { late: rest / room, queue };
        }
        return { late: Math.max(worst.late, usual || 0), crowd: worst.late > LATE ? worst : null };
    });
    const fullest = Math.max(
        0,
        ...[...work].map(([queue, ms]) => ms / (use.get(queue).concurrency * span.width * due.due.length)),
    );
    return { columns, can: fullest ? total(due.due) / due.due.length / fullest : null };
}

function charts(model, span) {
    const { columns, whole, due } = model,
        past = columns.slice(0, model.now);
    const mean = past.length ? total(past.map(column => column.total)) / past.length : 0;
    const about = leastExact(due.precision);
    const at =
        selected === null
            ? columns.findIndex(column => !column.past && column.total === Math.max(...due.due))
            : columns.findIndex(column => column.t === selected);
    model.at = Math.max(0, at);
    return [
        h(
            'header',
            { key: 'h1' },
            h(
                'h2',
                null,
                `Jobs ${span.unit === 'hour' ? 'an' : 'a'} ${span.unit}`
                    .replace('a 10 s', 'in 10 s')
                    .replace('a six hours', 'in six hours'),
            ),
            h(
                'p',
                null,
                `${past.length ? short(mean) + ' started on average' : 'no statistics of the past'} · ${count(whole, about)} due in the next ${AHEAD[span.label]}`,
            ),
        ),
        h(
            'div',
            { class: 'in', key: 'c1' },
            h(Fluid, {
                height: 296,
                on: [due, model.minutes, model.at, model.key, model.drawnBy],
                draw: w => jobsChart(w, 296, model, span),
            }),
        ),
        h(
            'header',
            { key: 'h2' },
            h('h2', null, 'Lateness'),
            h('p', null, 'measured p99, and the forecast of the last start in each column'),
        ),
        h(
            'div',
            { class: 'in flush0', key: 'c2' },
            h(Fluid, {
                height: 148,
                on: [due, model.minutes, model.at, model.key],
                draw: w => latenessChart(w, 148, model),
            }),
        ),
    ];
}

const choose = (model, i) => {
    selected = model.columns[Math.min(model.columns.length - 1, Math.max(0, i))].t;
    changed();
};
const MOVES = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

function jobsChart(w, ht, model, span) {
    const { columns, due, can } = model,
        n = columns.length,
        highest = Math.max(1, ...columns.map(column => column.total));
    const shown = can && can < 1.4 * highest,
        most = Math.max(highest, shown ? can : 0),
        scale = ticks(most, 4);
    const g = grid({ w, ht, n, max: most, left: LEFT, top: 18 }),
        nowX = g.x(model.now),
        pad = new Array(model.now).fill(0);
    const series = model.parts.length ? model.parts : [{ name: 'all', due: due.due, k: 1 }],
        column = columns[model.at];
    const key = e => {
        const step = MOVES[e.key] ?? (e.key === 'Home' ? -n : e.key === 'End' ? n : 0);
        if (step) {
            e.preventDefault();
            choose(model, model.at + step);
        }
    };
    return h(
        'div',
        {
            class: 'slider',
            role: 'slider',
            tabIndex: 0,
            'aria-label': 'Chosen time',
            'aria-valuemin': 0,
            'aria-valuemax': n - 1,
            'aria-valuenow': model.at,
            'aria-orientation': 'horizontal',
            'aria-valuetext': `${when(column.t, now())}: ${n0(column.total)} ${column.past ? 'started' : 'due'}`,
            onKeyDown: key,
            onClick: e =>
                choose(model, Math.floor((e.clientX - e.currentTarget.getBoundingClientRect().left - LEFT) / g.cw)),
        },
        chart(
            w,
            ht,
            'Jobs that started, and jobs that are due',
            h('rect', { class: 'chosen', x: g.x(model.at) - 1, y: 0, width: g.cw + 2, height: ht - 22, rx: 3 }),
            axisY(g, scale),
            h('path', { class: 'fill k6 soft', d: stackedPast(g, columns) }),
            stacked(
                g,
                series.map(({ name, due, k }) => ({ name, cls: 'k' + k, values: [...pad, ...due] })),
            ),
            shown && [
                h('line', { class: 'limit', x1: nowX, x2: w, y1: g.y(can), y2: g.y(can) }),
                h(
                    'text',
                    { class: 'halo', x: w, y: g.y(can) - 6, 'text-anchor': 'end' },
                    `limit of the slots: ${short(can)}`,
                ),
            ],
            h('line', { class: 'nowline', x1: nowX, x2: nowX, y1: 0, y2: g.y0 }),
            model.now > 3 && h('text', { class: 'strong halo', x: nowX - 10, y: 12, 'text-anchor': 'end' }, 'Started'),
            h('text', { class: 'strong halo', x: nowX + 10, y: 12 }, 'Due'),
            axisX(g, i => columns[i].t, {
                named: { [model.now]: 'now' },
                skip: i => Math.abs(i - model.now) * g.cw < 44,
            }),
        ),
    );
}

const stackedPast = (g, columns) =>
    columns
        .map((column, i) =>
            column.past && column.total
                ? `M${(g.x(i) + 0.6).toFixed(1)} ${g.y(column.total).toFixed(1)}h${Math.max(0.6, g.cw - 1.2).toFixed(1)}V${g.y0}h-${Math.max(0.6, g.cw - 1.2).toFixed(1)}z`
                : '',
        )
        .join('');

function latenessChart(w, ht, model) {
    const { columns } = model,
        n = columns.length,
        worst = columns.reduce(
            (most, column) => (column.crowd && column.late > (most?.late || 0) ? column : most),
            null,
        );
    const low = 1,
        high = Math.max(9e4, worst ? worst.late * 1.5 : 0),
        y = ms => 8 + (ht - 16) * (1 - Math.log10(Math.max(low, ms) / low) / Math.log10(high / low));
    const g = grid({ w, ht, n, max: 1, left: LEFT }),
        mid = i => g.x(i) + g.cw / 2,
        nowX = g.x(model.now);
    const past = linePath(
        columns.slice(0, model.now).map((column, i) => (column.p99 === null ? null : [mid(i), y(column.p99)])),
    );
    const ahead = linePath(columns.map((column, i) => (column.past || !column.late ? null : [mid(i), y(column.late)])));
    const scale = [
        [1, '1 ms'],
        [10, '10 ms'],
        [100, '100 ms'],
        [1e3, '1 s'],
        [1e4, '10 s'],
        [6e4, '1 min'],
        [36e5, '1 h'],
    ].filter(([v]) => v <= high);
    const hot = columns.map((column, i) => [column, i]).filter(([column]) => column.crowd),
        at = worst ? columns.indexOf(worst) : 0,
        right = mid(at) < w - 130;
    return chart(
        w,
        ht,
        'Measured and forecast lateness. ' +
            (worst ? `At ${when(worst.t, now())} up to ${dur(worst.late)}.` : 'No overload is foreseen.'),
        h('rect', { class: 'chosen', x: g.x(model.at) - 1, y: 0, width: g.cw + 2, height: ht, rx: 3 }),
        scale.map(([v, label]) => [
            h('line', { key: 'l' + v, class: 'grid', x1: LEFT, x2: w, y1: y(v), y2: y(v) }),
            h('text', { key: 't' + v, x: LEFT - 8, y: y(v) + 4, 'text-anchor': 'end' }, label),
        ]),
        h('path', {
            class: 'hot',
            d: hot
                .map(
                    ([column, i]) =>
                        `M${g.x(i).toFixed(1)} ${y(LATE)}V${y(column.late).toFixed(1)}h${g.cw.toFixed(1)}V${y(LATE)}z`,
                )
                .join(''),
        }),
        h('path', { class: 'ln k6', d: past }),
        h('path', { class: 'ln dash s-failed', d: ahead }),
        h('line', { class: 'nowline', x1: nowX, x2: nowX, y1: 0, y2: ht }),
        worst &&
            h(
                'text',
                {
                    class: 'halo strong',
                    x: mid(at) + (right ? 12 : -12),
                    y: y(worst.late) + 12,
                    'text-anchor': right ? 'start' : 'end',
                },
                `up to ${dur(worst.late)} late`,
            ),
    );
}

function side(model, span) {
    const column = model.columns[model.at],
        end = column.t + span.width,
        i = model.at - model.now,
        t = now();
    const parts = column.past
        ? []
        : model.parts
              .map(({ name, due, k }) => [name, due[i], k])
              .filter(([, n]) => n)
              .sort((a, b) => b[1] - a[1])
              .slice(0, 8);
    const most = Math.max(1, ...parts.map(([, n]) => n)),
        tick = span.width < MINUTE ? clock : hm;
    return h(
        'section',
        { class: 'card', 'aria-label': 'The chosen time' },
        h(
            'header',
            null,
            h('h2', null, span.width > HOUR ? when(column.t, t) : `${tick(column.t)} to ${tick(end)}`),
            h('p', null, column.past ? relative(end, t) : column.t <= t ? 'now' : relative(column.t, t)),
        ),
        h(
            'div',
            { class: 'in stack' },
            h(
                'div',
                { class: 'big' },
                column.past ? n0(column.total) : count(column.total, column.precision),
                h('small', null, column.past ? ' started' : ' due'),
            ),
            column.past
                ? h('p', { class: 'mut' }, 'p99 ', dur(column.p99))
                : h(
                      'ul',
                      { class: 'mixlist' },
                      parts.map(([name, n, k]) =>
                          h(
                              'li',
                              { key: name, class: 'k' + k },
                              h('i', { class: 'dot' }),
                              h('span', { class: 'grow clip', title: name }, name),
                              h('span', { class: 'num mut' }, short(n)),
                              bar(n / most, 'k' + k),
                          ),
                      ),
                  ),
            column.crowd &&
                note(
                    'failed',
                    'clock',
                    'More jobs than the slots can start in time.',
                    `The queue ${column.crowd.queue} will be behind; the last job will start some ${dur(column.crowd.late)} late.`,
                ),
            column.crowd &&
                h(
                    'p',
                    { class: 'mut wraps' },
                    `To avoid this, add slots (queues.${column.crowd.queue}.concurrency) or instances, or schedule with spreadOver.`,
                ),
            !column.past &&
                h(
                    'div',
                    null,
                    link(
                        search('jobs', { state: 'DELAYED', from: iso(column.t), until: iso(end) }),
                        { class: 'btn' },
                        icon('jobs'),
                        'See these jobs',
                    ),
                ),
        ),
    );
}

function upcoming() {
    const entry = read('upcoming', 'jobs?state=DELAYED&order=DUE&limit=6', 2 * SECOND);
    return card(
        'Due next',
        state.pulse ? `the first of ${countOf('DELAYED')}` : '',
        link('?jobs', { class: 'btn s ghost' }, 'All jobs', icon('right', 14)),
        loaded(
            entry,
            ({ jobs }) =>
                !jobs.length
                    ? empty('timetable', 'Nothing is planned', 'No job is waiting.')
                    : wide(
                          'Due next',
                          h(
                              'table',
                              null,
                              heads('Due', 'Handler', 'Key', 'Queue', 'Run', ''),
                              h(
                                  'tbody',
                                  null,
                                  jobs.map(job => {
                                      const due = instant(job.dueAt);
                                      return h(
                                          'tr',
                                          { key: job.id },
                                          h(
                                              'td',
                                              null,
                                              time(due, h('b', null, due > now() ? relative(due, now()) : 'now')),
                                              ' ',
                                              h('span', { class: 'mut' }, when(due, now(), true)),
                                          ),
                                          h('td', null, handlerName(job.name)),
                                          keyCell(job),
                                          h(
                                              'td',
                                              { class: 'mut' },
                                              h('span', { class: 'clip key' }, cut(job.queue, 60)),
                                          ),
                                          h(
                                              'td',
                                              null,
                                              job.failures
                                                  ? stateText('RETRYING', `attempt ${job.attempt + 1}`)
                                                  : h(
                                                        'span',
                                                        { class: 'mut' },
                                                        job.run > 1 ? `run ${n0(job.run)}` : 'first attempt',
                                                    ),
                                          ),
                                          h('td', { class: 'right' }, jobLink(job.id, { class: 'btn s' }, 'Open')),
                                      );
                                  }),
                              ),
                          ),
                      ),
            6,
        ),
    );
}
