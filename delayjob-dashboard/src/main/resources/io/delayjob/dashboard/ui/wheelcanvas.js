/*
 * The drawings of the live wheel. A wheel moves by time alone, so one snapshot a second is enough. The page shows it a little late.
 * So it knows for each moment both the jobs that were due and the jobs that have started.
 */
import { Component, h } from './preact.module.js';
import { BOUNDS } from './derive.js';
import { now, state } from './state.js';
import { HOUR, MINUTE, SECOND, dur, hm, instant, millis, n0, quantile, short } from './text.js';

const TAU = 2 * Math.PI,
    UP = -Math.PI / 2,
    BEHIND = 1.2 * SECOND,
    KEPT = 6;
const RINGS = { day: [270, 314], hour: [221, 261], window: [156, 200], near: [110, 147], tick: [99, 103] };
const CENTRE = 132,
    MEMORY = 211;

let speed = 1,
    base = { shown: 0, real: 0 };

export const pace = () => speed;

export function setPace(value) {
    const at = shownTime();
    speed = value;
    base = { shown: at, real: performance.now() };
}

function shownTime() {
    const newest = now() - BEHIND;
    if (speed === 1) return newest;
    const at = base.shown + (performance.now() - base.real) * speed;
    // Snapshots are kept for some seconds only, so a slow pace starts again behind them.
    if (speed && newest - at > (KEPT - 1) * SECOND) {
        base = { shown: newest, real: performance.now() };
        return newest;
    }
    return at;
}

/* ---- snapshots of the wheel, with slots as times */
const looks = [];

function remember() {
    const wheel = state.pulse?.wheel;
    if (!wheel || looks.at(-1)?.wheel === wheel || (speed === 0 && looks.length)) return;
    const at = instant(wheel.at);
    looks.push({
        wheel,
        at,
        levels: wheel.levels.map(level => {
            const width = millis(level.slotWidth),
                begin = at - millis(level.into);
            return {
                ...level,
                width,
                begin,
                jobs: level.slots.map(([slot, n]) => [begin + ((slot - level.position + 256) % 256) * width, n]),
            };
        }),
    });
    while (looks.length > (speed === 1 ? 3 : KEPT)) looks.shift();
}
const lookAt = t => looks.findLast(look => look.at <= t) ?? looks[0];
const levelOf = (look, number) => look?.levels.find(level => level.level === number);

const NAMES = [
    'raised',
    'sunk',
    'line',
    'line-strong',
    'fg',
    'fg-2',
    'fg-3',
    'accent',
    'accent-ink',
    'now',
    'delayed',
    'finished',
    'ready',
    'failed',
];
let ink = {},
    inkOf = null,
    font = 'sans-serif',
    zoom = 1;

const type = (weight, size) => `${weight} ${(size * zoom).toFixed(1)}px ${font}`;

function readInks() {
    const scheme =
        getComputedStyle(document.documentElement).colorScheme +
        matchMedia('(prefers-color-scheme: dark)').matches +
        document.documentElement.dataset.theme;
    if (scheme === inkOf) return;
    const probe = document.body.appendChild(document.createElement('span'));
    for (const name of NAMES) {
        probe.style.color = `var(--${name})`;
        ink[name] = getComputedStyle(probe).color;
    }
    font = getComputedStyle(probe).fontFamily;
    probe.remove();
    inkOf = scheme;
}
const lateInk = ms => (ms <= 10 ? ink.finished : ms <= 100 ? ink.ready : ink.failed);

/** A canvas that is drawn with each frame, or twice a second; once a second with reduced motion; and when its label changes. */
export class Canvas extends Component {
    componentDidMount() {
        const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
        let last = -Infinity;
        const frame = t => {
            this.frame = requestAnimationFrame(frame);
            const isEarly = t - last < (still ? 1000 : this.props.slow ? 500 : 0);
            const isSame = this.inkOf === inkOf && this.label === this.props.label;
            if ((isEarly && isSame) || document.hidden) return;
            last = t;
            this.label = this.props.label;
            remember();
            readInks();
            this.inkOf = inkOf;
            this.paint();
        };
        this.frame = requestAnimationFrame(frame);
    }

    componentWillUnmount() {
        cancelAnimationFrame(this.frame);
    }

    paint() {
        const { canvas } = this,
            r = devicePixelRatio || 1,
            w = canvas.clientWidth,
            ht = canvas.clientHeight;
        if (!w) return;
        if (canvas.width !== Math.round(w * r) || canvas.height !== Math.round(ht * r)) {
            canvas.width = Math.round(w * r);
            canvas.height = Math.round(ht * r);
        }
        const c = canvas.getContext('2d');
        c.setTransform(r, 0, 0, r, 0, 0);
        c.clearRect(0, 0, w, ht);
        c.globalAlpha = 1;
        this.props.draw(c, w, ht, this.props.data || {});
    }

    render({ cls, label }) {
        return h('canvas', {
            class: cls,
            ref: canvas => {
                this.canvas = canvas;
            },
            role: 'img',
            'aria-label': label,
        });
    }
}

function cell(c, r0, r1, a, b) {
    c.beginPath();
    c.arc(0, 0, r1, UP + a, UP + b);
    c.arc(0, 0, r0, UP + b, UP + a, true);
    c.closePath();
    c.fill();
}

function track(c, [r0, r1], alpha = 1) {
    c.globalAlpha = alpha;
    c.fillStyle = ink.sunk;
    cell(c, r0, r1, 0, TAU - 1e-6);
    c.globalAlpha = 1;
}

function dot(c, r, angle, size) {
    c.beginPath();
    c.arc(r * Math.sin(angle), -r * Math.cos(angle), size, 0, TAU);
    c.fill();
}

/** Returns a number from 0 to 1, always the same for one input, so that a cascade looks the same in each frame. */
function hash(n) {
    let x = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
    x ^= x >>> 13;
    x = Math.imul(x, 0xc2b2ae35);
    return ((x ^ (x >>> 16)) >>> 0) / 4294967296;
}

export function wheelPicture(c, w, ht, { hour, day, rates }) {
    const t = shownTime(),
        look = lookAt(t),
        scale = Math.min(w, ht) / 700;
    zoom = Math.max(1, Math.min(1.7, 0.8 / scale));
    c.translate(w / 2, ht / 2 + (zoom > 1.2 ? 34 : 8 * scale));
    c.scale(scale, scale);
    memory(c);
    stored(c, RINGS.day, day, t);
    stored(c, RINGS.hour, hour, t);
    track(c, RINGS.window);
    track(c, RINGS.near);
    track(c, RINGS.tick, 0.9);
    if (look) {
        const two = levelOf(look, 2),
            one = levelOf(look, 1),
            span = Math.ceil(millis(look.wheel.window) / two.width + 1) * two.width;
        readAhead(c, t, two, span);
        near(c, t, two, one, look);
        cascade(c, t, two, span);
        reading(c, t, look.wheel, span);
        words(c, t, look.wheel, day);
    }
    fired(c, t);
    nowLine(c);
    centre(c, rates);
}

/** Draws memory as a separate disc, so that the border to the database is visible. */
function memory(c) {
    const shade = c.createRadialGradient(0, 0, 60, 0, 0, MEMORY);
    shade.addColorStop(0, 'transparent');
    shade.addColorStop(1, ink.accent);
    c.globalAlpha = 0.055;
    c.fillStyle = shade;
    c.beginPath();
    c.arc(0, 0, MEMORY, 0, TAU);
    c.fill();
    c.strokeStyle = ink.accent;
    c.globalAlpha = 0.55;
    c.lineWidth = 1;
    c.setLineDash([3, 4]);
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
}

function stored(c, ring, due, t) {
    track(c, ring, 0.75);
    if (!due) return;
    const [r0, r1] = ring,
        width = millis(due.width),
        from = instant(due.from),
        n = due.due.length,
        step = TAU / n,
        max = Math.max(1, ...due.due);
    c.fillStyle = ink.delayed;
    due.due.forEach((jobs, i) => {
        const a = ((from + i * width - t) / width) * step,
            share = jobs / max,
            begin = Math.max(0, a) + step * 0.1,
            end = Math.min(TAU, a + step * 0.9);
        // What is left of the bucket that time is in may be too thin to be drawn.
        if (end <= begin || !jobs) return;
        c.globalAlpha = 0.3 + 0.5 * share;
        cell(
            c,
            r0,
            r0 + Math.max(2, (r1 - r0) * share ** 0.62),
            begin,
            end,
        );
    });
    c.globalAlpha = 1;
}

/** Draws the window that was read ahead: slots of level 2, with their counts. */
function readAhead(c, t, two, span) {
    const [r0, r1] = RINGS.window,
        most = Math.max(8, ...two.jobs.map(([, n]) => n));
    for (const [start, n] of two.jobs) {
        const a = ((start - t) / span) * TAU,
            b = a + (two.width / span) * TAU;
        if (a < 0 || a >= TAU) continue;
        const share = n / most;
        c.fillStyle = ink.accent;
        c.globalAlpha = 0.18 + 0.82 * share;
        cell(c, r0, r1, a + 0.012, Math.min(b, TAU) - 0.012);
        c.globalAlpha = 1;
        if (b >= TAU || b - a < 0.1 * zoom) continue;
        const mid = (a + b) / 2,
            r = (r0 + r1) / 2;
        c.fillStyle = share > 0.5 ? ink.raised : ink['fg-2'];
        c.font = type(500, 10.5);
        c.textAlign = 'center';
        c.textBaseline = 'middle';
        c.fillText(short(n), r * Math.sin(mid), -r * Math.cos(mid));
    }
}

/** Draws the current slot of level 2 as slots of level 1: from the snapshot, or from the starts since then. */
function near(c, t, two, one, look) {
    const [r0, r1] = RINGS.near,
        begin = two.begin + Math.floor((t - two.begin) / two.width) * two.width,
        end = begin + two.width,
        step = (one.width / two.width) * TAU;
    const seen =
        begin === two.begin && look.at <= t ? one.jobs : state.starts.map(start => [start.t - start.lateMillis, 1]);
    c.fillStyle = ink['line-strong'];
    c.globalAlpha = 0.35;
    for (let a = ((end - t) / two.width) * TAU; a > 0; a -= step * 4)
        cell(c, r0, r0 + 2, Math.max(0, a - step * 0.76), a);
    c.fillStyle = ink.accent;
    for (const [start, n] of seen) {
        if (start < t || start >= end) continue;
        const a = ((start - t) / two.width) * TAU,
            born = Math.min(1, Math.max(0, (t - begin - (a / TAU) * 90) / 60));
        c.globalAlpha = born * Math.min(1, 0.4 + 0.25 * n);
        cell(c, r0, r0 + (r1 - r0) * Math.min(1, 0.45 + 0.2 * n), a, a + step * 0.8);
    }
    c.globalAlpha = 0.8;
    c.fillStyle = ink.now;
    cell(c, ...RINGS.tick, 0, Math.max(0.001, (TAU * (end - t)) / two.width - 0.001));
    c.globalAlpha = 1;
}

/** Draws how a slot of level 2 opens into level 1 when its time comes. */
function cascade(c, t, two, span) {
    const slot = Math.floor((t - two.begin) / two.width),
        since = t - two.begin - slot * two.width;
    const jobs = two.jobs.find(([start]) => Math.abs(start - two.begin - slot * two.width) < 1)?.[1] || 0;
    if (since > 230) return;
    c.fillStyle = ink.accent;
    for (let i = 0; i < Math.min(70, jobs); i++) {
        const angle = hash(Math.round(two.begin / two.width + slot) * 71 + i) * TAU * 0.98,
            p = (since - hash(i + 9) * 60) / 150;
        if (p <= 0 || p >= 1) continue;
        const e = 1 - (1 - p) ** 3;
        for (let q = 0; q < 4; q++) {
            const step = Math.max(0, e - q * 0.05);
            c.globalAlpha = (1 - p) * (0.75 - q * 0.17);
            dot(c, RINGS.window[0] - (RINGS.window[0] - CENTRE) * step, angle * step, 2.3 - q * 0.4);
        }
    }
    c.globalAlpha = 1;
}

function reading(c, t, wheel, span) {
    const since = wheel.lastRead ? t - instant(wheel.lastRead.at) : Infinity;
    if (since < 0 || since > 900) return;
    c.fillStyle = ink.delayed;
    for (let i = 0; i < Math.min(80, wheel.lastRead.rows); i++) {
        const angle = (((0.5 + 0.5 * hash(i * 3)) * millis(wheel.window)) / span) * TAU,
            p = (since - 200 * hash(i)) / 600;
        if (p <= 0 || p >= 1) continue;
        c.globalAlpha = 0.8 * Math.sin(Math.PI * p);
        dot(c, 236 - 50 * p, angle, 2);
    }
    c.globalAlpha = 1;
}

function fired(c, t) {
    const life = 420,
        isDark = /dark/.test(inkOf) || /true/.test(inkOf);
    for (let i = state.starts.length - 1; i >= 0 && i > state.starts.length - 400; i--) {
        const start = state.starts[i],
            p = (t - start.t) / life;
        if (p < 0 || p > 1) continue;
        const e = 1 - (1 - p) ** 2.2,
            angle = (hash(start.t) - 0.5) * 2.6 * e;
        c.globalAlpha = (1 - p) ** 1.3;
        c.fillStyle = lateInk(start.lateMillis);
        c.shadowBlur = isDark ? 8 : 0;
        c.shadowColor = c.fillStyle;
        dot(c, RINGS.near[0] - 4 - 26 * e, angle, 3 - 1.2 * p);
    }
    c.shadowBlur = 0;
    c.globalAlpha = 1;
}

function nowLine(c) {
    c.strokeStyle = c.fillStyle = ink.now;
    c.lineWidth = 2;
    c.lineCap = 'round';
    c.beginPath();
    c.moveTo(0, -318);
    c.lineTo(0, -96);
    c.stroke();
    c.beginPath();
    c.moveTo(-6, -328);
    c.lineTo(6, -328);
    c.lineTo(0, -317);
    c.fill();
    c.font = type(600, 12);
    c.textAlign = 'center';
    c.textBaseline = 'alphabetic';
    c.fillText('now', 0, -334);
}

function words(c, t, wheel, day) {
    const tag = (text, r, strong) => {
        c.font = type(strong ? 600 : 500, 11);
        c.textAlign = 'right';
        c.textBaseline = 'middle';
        c.lineWidth = 5;
        c.lineJoin = 'round';
        c.strokeStyle = ink.raised;
        c.strokeText(text, -8, -r);
        c.fillStyle = strong ? ink['accent-ink'] : ink['fg-2'];
        c.fillText(text, -8, -r);
    };
    tag('24 h', 286);
    tag('1 h', 236);
    tag(dur(millis(wheel.window)), 178, true);
    tag('½ s', 128, true);
    c.fillStyle = ink['fg-3'];
    c.font = type(400, 11);
    c.textBaseline = 'middle';
    if (day) {
        for (const quarter of zoom > 1.2 ? [2] : [1, 2, 3]) {
            const a = (quarter * TAU) / 4,
                r = quarter === 2 ? 330 : 318;
            c.textAlign = ['', 'left', 'center', 'right'][quarter];
            c.fillText(hm(t + quarter * 6 * HOUR), r * Math.sin(a), -(quarter === 2 ? 326 : r) * Math.cos(a));
        }
    }
    along(c, `in memory: read ${dur(millis(wheel.window))} ahead`);
}

function along(c, text) {
    const r = 210.5,
        letters = [...text];
    c.font = type(500, 10.5);
    c.textAlign = 'center';
    const widths = letters.map(letter => c.measureText(letter).width + 1.1);
    let a = Math.PI + widths.reduce((x, y) => x + y) / r / 2;
    letters.forEach((letter, i) => {
        a -= widths[i] / r / 2;
        c.save();
        c.rotate(a);
        c.translate(0, -r);
        c.rotate(Math.PI);
        c.lineWidth = 4;
        c.strokeStyle = ink.raised;
        c.fillStyle = ink['accent-ink'];
        c.strokeText(letter, 0, 0);
        c.fillText(letter, 0, 0);
        c.restore();
        a -= widths[i] / r / 2;
    });
}

function centre(c, rates) {
    if (!rates) return;
    const p99 = quantile(rates.late || [], BOUNDS, 0.99);
    c.textAlign = 'center';
    c.textBaseline = 'alphabetic';
    c.fillStyle = ink.fg;
    c.font = `650 40px ${font}`;
    c.fillText(rates.startsPerSecond >= 10 ? n0(rates.startsPerSecond) : short(rates.startsPerSecond), 0, 4);
    c.fillStyle = ink['fg-3'];
    c.font = type(450, 12);
    c.fillText('starts a second', 0, 10 + 14 * zoom);
    if (p99 === null) return;
    c.fillStyle = lateInk(p99);
    c.font = type(500, 12);
    c.fillText('p99 ' + dur(p99), 0, 12 + 32 * zoom);
}

/* ---- lateness of each start of the last minute, on a log scale */
const MANY_DOTS = 500;

export function seismograph(c, w, ht) {
    const left = 52,
        bottom = 20,
        t = now(),
        least = 0.3,
        most = Math.max(1000, ...state.starts.map(start => start.lateMillis));
    const y = ms => 6 + (ht - bottom - 6) * (1 - Math.log10(Math.max(least, ms) / least) / Math.log10(most / least));
    c.font = `11px ${font}`;
    c.textBaseline = 'middle';
    for (const ms of [1, 10, 100, 1000, 10000].filter(ms => ms <= most)) {
        c.strokeStyle = ms === 10 ? ink['line-strong'] : ink.line;
        c.setLineDash(ms === 10 ? [3, 3] : []);
        c.beginPath();
        c.moveTo(left, y(ms));
        c.lineTo(w, y(ms));
        c.stroke();
        c.fillStyle = ink['fg-3'];
        c.textAlign = 'right';
        c.fillText(dur(ms).replace('.0', ''), left - 8, y(ms));
    }
    c.setLineDash([]);
    // Thousands of dots are translucent, so that hidden dots show. A few dots must be clearly visible.
    const isDense = state.starts.length > MANY_DOTS;
    for (const start of state.starts) {
        const isLate = start.lateMillis > 10 || !isDense;
        c.globalAlpha = isLate ? 0.95 : 0.4;
        c.fillStyle = lateInk(start.lateMillis);
        c.beginPath();
        c.arc(
            left + (w - left - 3) * (1 - (t - start.t) / MINUTE),
            y(start.lateMillis),
            isLate ? 2.1 : 1.4,
            0,
            TAU,
        );
        c.fill();
    }
    c.globalAlpha = 1;
    c.textBaseline = 'alphabetic';
    c.textAlign = 'left';
    c.fillStyle = ink['fg-3'];
    c.fillText('1 min ago', left, ht - 3);
    c.textAlign = 'right';
    c.fillStyle = ink.now;
    c.fillText('now', w, ht - 3);
    c.fillRect(w - 2, 4, 1.5, ht - bottom - 4);
}

export function levelStrip(c, w, ht, { level }) {
    const t = shownTime(),
        strip = levelOf(lookAt(t), level);
    if (!strip) return;
    const cw = w / 256,
        turn = strip.begin - strip.position * strip.width,
        at = ((t - turn) / strip.width) % 256,
        jobs = new Map(
            strip.jobs
                .filter(([start]) => start + strip.width > t)
                .map(([start, n]) => [Math.round((start - turn) / strip.width) % 256, n]),
        );
    const most = Math.max(2, ...jobs.values());
    for (let slot = 0; slot < 256; slot++) {
        const n = jobs.get(slot) || 0,
            isPast = slot < Math.floor(at);
        c.fillStyle = n ? ink.accent : isPast ? ink.line : ink['line-strong'];
        c.globalAlpha = n ? 0.3 + (0.7 * n) / most : isPast ? 0.5 : 0.55;
        c.fillRect(slot * cw + 0.3, n ? 2 : 7, Math.max(0.8, cw - 0.7), n ? ht - 4 : ht - 14);
    }
    c.globalAlpha = 1;
    c.fillStyle = ink.now;
    c.fillRect(at * cw - 1, 0, 2, ht);
}
