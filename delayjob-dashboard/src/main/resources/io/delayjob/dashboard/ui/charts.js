/* Charts in SVG, which can be themed and read by tests and screen readers. A series is one path, so that a chart
 * of an hour has few nodes. */
import { Component, h } from './preact.module.js';
import { colourVersion } from './parts.js';
import { dur, hm, date, short, quantile, total, zoneName, DAY, n0 } from './text.js';

/**
 * Draws at the available width, so that text keeps its size. Draws again only when one of `on`, the width, the time
 * zone or the colours change.
 */
export class Fluid extends Component {
    componentDidMount() {
        this.seen = new ResizeObserver(() => {
            const width = this.box?.clientWidth;
            if (width && width !== this.state.width) this.setState({ width });
        });
        this.seen.observe(this.box);
    }

    componentWillUnmount() {
        this.seen.disconnect();
    }

    shouldComponentUpdate(props, state) {
        const changed =
            state.width !== this.state.width ||
            props.height !== this.props.height ||
            this.zone !== zoneName() ||
            this.colours !== colourVersion();
        return (
            changed ||
            props.on.length !== this.props.on.length ||
            props.on.some((value, i) => value !== this.props.on[i])
        );
    }

    render({ height, draw }, { width }) {
        this.zone = zoneName();
        this.colours = colourVersion();
        return h(
            'div',
            {
                class: 'fluid',
                style: { height: height + 'px' },
                ref: box => {
                    this.box = box;
                },
            },
            width ? draw(width) : null,
        );
    }
}

export const chart = (w, ht, label, ...kids) =>
    h(
        'svg',
        { class: 'chart', viewBox: `0 0 ${w} ${ht}`, width: w, height: ht, role: 'img', 'aria-label': label },
        kids,
    );

const f1 = n => n.toFixed(1);

export function ticks(max, wanted = 3) {
    const step =
        [1, 2, 5, 10]
            .map(k => k * 10 ** Math.floor(Math.log10(Math.max(1, max / wanted))))
            .find(s => s * wanted >= max * 0.8) || 1;
    const all = [];
    for (let v = 0; v <= Math.max(max, step) && all.length < 8; v += step) all.push(v);
    return all;
}

export function grid({ w, ht, n, max, left = 40, bottom = 22, top = 10 }) {
    const cw = (w - left) / n,
        y0 = ht - bottom,
        most = Math.max(1, max);
    return { w, ht, n, left, cw, y0, top, x: i => left + i * cw, y: v => y0 - (y0 - top) * Math.min(1, v / most) };
}

function barPath(g, values, from) {
    const gap = g.cw > 5 ? 1 : g.cw > 2.5 ? 0.5 : 0.2;
    return values
        .map((v, i) => {
            if (!v) return '';
            const y = g.y((from?.[i] || 0) + v),
                height = Math.max(from ? 0.6 : 1, g.y(from?.[i] || 0) - y - (from ? 0.4 : 0));
            return `M${f1(g.x(i) + gap)} ${f1(y)}h${f1(Math.max(0.6, g.cw - 2 * gap))}v${f1(height)}h-${f1(Math.max(0.6, g.cw - 2 * gap))}z`;
        })
        .join('');
}

export const axisY = (g, values, text = short) =>
    values.map(v => [
        h('line', { class: 'grid', x1: g.left, x2: g.w, y1: g.y(v), y2: g.y(v) }),
        h('text', { x: g.left - 8, y: g.y(v) + 4, 'text-anchor': 'end' }, text(v)),
    ]);

export function axisX(g, t, { named = {}, skip = () => false } = {}) {
    const every = Math.max(1, Math.ceil(g.n / Math.max(2, Math.floor((g.w - g.left) / 110))));
    const long = t(g.n - 1) - t(0) > 2 * DAY;
    return Array.from({ length: g.n }, (_, i) => i)
        .filter(i => (i % every === 0 && !skip(i)) || i in named)
        .map(i => {
            const anchor = g.x(i) < g.left + 16 ? 'start' : g.x(i) > g.w - 24 ? 'end' : 'middle';
            return h(
                'text',
                {
                    key: i,
                    x: anchor === 'start' ? g.x(i) : g.x(i) + g.cw / 2,
                    y: g.ht - 5,
                    'text-anchor': anchor,
                    class: i in named ? 'nowtext' : '',
                },
                named[i] ?? (long ? date(t(i)) : hm(t(i))),
            );
        });
}

/** Stacks series on top of each other: [{ name, cls, values }] → with `from`. */
export function stack(series, n) {
    const sum = new Array(n).fill(0);
    return series.map(one => {
        const from = sum.slice();
        one.values.forEach((v, i) => {
            sum[i] += v;
        });
        return { ...one, from };
    });
}

export const stacked = (g, series) =>
    stack(series, g.n).map(one =>
        h('path', { key: one.name, class: 'fill ' + one.cls, d: barPath(g, one.values, one.from) }),
    );

export const legend = list =>
    h(
        'div',
        { class: 'legend' },
        list.map(([cls, text, line]) =>
            h(
                'span',
                { key: text, class: cls },
                h('i', { class: line ? 'line' : '' }),
                h('span', { class: 'clip', title: text }, text),
            ),
        ),
    );

/** Draws a small line or small bars, as decoration beside a number, so hidden from screen readers. */
export function spark(values, { w = 72, ht = 22, cls = '', bars = false } = {}) {
    if (values.length < 2) return null;
    const max = Math.max(...values) || 1,
        min = bars ? 0 : Math.min(...values);
    const svg = (...kids) =>
        h(
            'svg',
            { class: 'spark ' + cls, width: w, height: ht, viewBox: `0 0 ${w} ${ht}`, 'aria-hidden': 'true' },
            kids,
        );
    if (bars) {
        const g = grid({ w, ht, n: values.length, max, left: 0, bottom: 1, top: 1 });
        return svg(
            h('path', {
                class: 'base',
                d: values.map((v, i) => `M${f1(g.x(i) + 0.5)} ${ht - 0.5}h${f1(Math.max(1, g.cw - 1.5))}`).join(''),
            }),
            h('path', { class: 'fill', d: barPath(g, values) }),
        );
    }
    const x = i => 1 + (i * (w - 2)) / (values.length - 1),
        y = v => ht - 2 - ((v - min) / (max - min || 1)) * (ht - 4);
    const line = values.map((v, i) => `${i ? 'L' : 'M'}${f1(x(i))} ${f1(y(v))}`).join('');
    return svg(
        h('path', { class: 'area', d: `${line}L${f1(x(values.length - 1))} ${ht}L1 ${ht}Z` }),
        h('path', { class: 'ln', d: line }),
    );
}

export function linePath(points) {
    let drawn = false;
    return points
        .map(point => {
            if (!point) {
                drawn = false;
                return '';
            }
            const step = `${drawn ? 'L' : 'M'}${f1(point[0])} ${f1(point[1])}`;
            drawn = true;
            return step;
        })
        .join('');
}

const SHADES = 10,
    PROMISED = 10;

export function heatmap(w, ht, { late, bounds, t }) {
    const used = Math.max(...late.map(column => column.reduce((top, v, r) => (v ? r : top), 0)));
    const rows = Math.min(bounds.length + 1, Math.max(9, used + 1)),
        left = 52,
        bottom = 22,
        top = 4;
    const cw = (w - left) / late.length,
        rh = (ht - bottom - top) / rows,
        yOf = r => ht - bottom - r * rh;
    const max = Math.max(1, ...late.flat());
    const shades = Array.from({ length: SHADES }, () => '');
    late.forEach((column, i) =>
        column.slice(0, rows).forEach((v, r) => {
            if (!v) return;
            const shade = Math.min(SHADES - 1, Math.floor(SHADES * (Math.log1p(v) / Math.log1p(max)) ** 4));
            shades[shade] +=
                `M${f1(left + i * cw + 0.75)} ${f1(yOf(r + 1) + 0.75)}h${f1(Math.max(0.5, cw - 1.5))}v${f1(rh - 1.5)}h-${f1(Math.max(0.5, cw - 1.5))}z`;
        }),
    );
    const place = ms => {
        let r = 0;
        while (r < rows - 1 && ms > bounds[r]) r++;
        const low = r ? bounds[r - 1] : 0,
            high = bounds[r] ?? low * 2;
        return yOf(r + Math.min(1, (ms - low) / (high - low)));
    };
    const line = p =>
        linePath(
            late.map((column, i) => {
                const ms = quantile(column, bounds, p);
                return ms === null ? null : [left + (i + 0.5) * cw, place(ms)];
            }),
        );
    const g = { left, w, ht, n: late.length, cw, x: i => left + i * cw };
    const whole = late.reduce((sum, column) => column.map((v, r) => v + (sum[r] || 0)), []);
    const worst = late.reduce(
        (most, column, i) => {
            const p = quantile(column, bounds, 0.99) || 0;
            return p > most[0] ? [p, i] : most;
        },
        [0, 0],
    );
    const label = total(whole)
        ? `Lateness by minute. p99 of the whole: ${dur(quantile(whole, bounds, 0.99))}; the worst minute, ${hm(t(worst[1]))}, has ${dur(worst[0])}.`
        : 'No job has started.';
    return chart(
        w,
        ht,
        label,
        shades.map(
            (d, i) =>
                d &&
                h('path', { key: i, class: 'heat', d, 'fill-opacity': (0.06 + (0.94 * i) / (SHADES - 1)).toFixed(2) }),
        ),
        h('line', {
            class: 'axis',
            x1: left,
            x2: w,
            y1: place(PROMISED),
            y2: place(PROMISED),
            'stroke-dasharray': '2 3',
        }),
        bounds
            .slice(0, rows)
            .map((b, r) =>
                h('text', { key: b, x: left - 8, y: yOf(r + 1) + 4, 'text-anchor': 'end' }, dur(b).replace('.0', '')),
            ),
        h('path', { class: 'ln now', d: line(0.99) }),
        h('path', { class: 'ln dash second', d: line(0.5) }),
        h('text', { class: 'halo', x: left + 6, y: place(PROMISED) - 5 }, '10 ms: promised for 99.9 % of starts'),
        axisX(g, t),
    );
}

export const describe = (values, t) => {
    const most = values.reduce((m, v, i) => (v > values[m] ? i : m), 0);
    return values.length ? `${n0(total(values))} in all; most at ${hm(t(most))}: ${n0(values[most])}` : 'nothing';
};
