/* Building blocks of the pages. Text is always a text node: nothing here parses HTML. */
import { Component, h } from './preact.module.js';
import { search, state } from './state.js';
import { STATE_NAMES, ago, cut, dur, full, simple } from './text.js';

const ICONS = {
    overview: 'M2.5 8.5h4v5h-4zM9.5 2.5h4v11h-4zM2.5 2.5h4v3h-4z',
    wheel: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1.8V5M14.2 8H11M8 14.2V11M1.8 8H5',
    timetable: 'M2 13.5v-3M5 13.5V8M8 13.5V3.5M11 13.5V6.5M14 13.5V10',
    jobs: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
    groups: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z',
    failures: 'M8 2 14.3 13.2H1.7ZM8 6.5v3M8 11.4h.01',
    handlers:
        'M5.5 2.5c-2 0-2 1.2-2 2.5s0 2.4-1.5 3c1.5.6 1.5 1.7 1.5 3s0 2.5 2 2.5M10.5 2.5c2 0 2 1.2 2 2.5s0 2.4 1.5 3' +
        'c-1.5.6-1.5 1.7-1.5 3s0 2.5-2 2.5',
    cluster:
        'M8 2.2v3.3M3.7 12.2l2.6-2.7M12.3 12.2 9.7 9.5M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8 1.2v1M3 12.9l-.7.7' +
        'M13 12.9l.7.7',
    search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 13.5 13.5',
    pause: 'M5.5 3.5v9M10.5 3.5v9',
    play: 'M5 3.2v9.6L12.5 8Z',
    sun:
        'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9' +
        'M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
    moon: 'M13.2 9.6A5.6 5.6 0 1 1 6.4 2.8a4.5 4.5 0 0 0 6.8 6.8Z',
    help: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM6.3 6.3A1.7 1.7 0 1 1 8.7 7.9C8.2 8.2 8 8.5 8 9M8 11.2h.01',
    down: 'M4.5 6.5 8 10l3.5-3.5',
    right: 'M6.5 4.5 10 8l-3.5 3.5',
    left: 'M9.5 4.5 6 8l3.5 3.5',
    x: 'M4 4l8 8M12 4l-8 8',
    check: 'M3 8.5 6.5 12 13 4.5',
    retry: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5',
    copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
    clock: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM8 4.5V8l2.3 1.5',
    filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
    lock: 'M4 7.2h8v6H4zM5.7 7.2V5.3a2.3 2.3 0 0 1 4.6 0v1.9',
    curl: 'M3 5l3 3-3 3M8.5 11.5h4.5',
    info: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM8 7.3v3.7M8 5h.01',
};
const LINES = {
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 1.5,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
};

export const icon = (name, size = 16) =>
    h(
        'svg',
        { width: size, height: size, viewBox: '0 0 16 16', ...LINES, 'aria-hidden': 'true' },
        h('path', { d: ICONS[name] }),
    );

/* The state as shape, word and colour, never by colour alone. */
const circle = more => ['circle', { cx: 7, cy: 7, r: 5, ...more }];
const disc = circle({ r: 5.5, fill: 'currentColor', stroke: 'none' });
const SHAPES = {
    DELAYED: [circle({ 'stroke-dasharray': '2.6 2.6' })],
    READY: [circle(), ['path', { d: 'M7 4.3V7l1.8 1.2' }]],
    RUNNING: [circle(), ['path', { d: 'M5.9 4.9v4.2L9.2 7Z', fill: 'currentColor' }]],
    AWAITING: [circle(), ['path', { d: 'M4.6 7h.1M7 7h.1M9.3 7h.1' }]],
    FINISHED: [disc, ['path', { d: 'M4.7 7.2 6.3 8.8 9.4 5.5', stroke: 'var(--raised)' }]],
    FAILED: [disc, ['path', { d: 'M5.2 5.2l3.6 3.6M8.8 5.2 5.2 8.8', stroke: 'var(--raised)' }]],
    RETRYING: [['path', { d: 'M12 7a5 5 0 1 1-1.6-3.7M12 1.7V4H9.7' }]],
    CANCELLED: [circle(), ['path', { d: 'M4.5 7h5' }]],
    PAUSED: [circle(), ['path', { d: 'M5.8 5.2v3.6M8.2 5.2v3.6' }]],
};

export const stateText = (name, label) =>
    h(
        'span',
        { class: 'st s-' + name.toLowerCase() },
        h(
            'svg',
            { width: 14, height: 14, viewBox: '0 0 14 14', ...LINES, 'aria-hidden': 'true' },
            SHAPES[name].map(([tag, attributes]) => h(tag, attributes)),
        ),
        label ?? STATE_NAMES[name],
    );

/** "Retrying" is DELAYED with failures, and "Paused" is READY with a pause. Both are derived, as READY is. */
export const stateOf = job =>
    job.state === 'DELAYED' && job.failures ? 'RETRYING' : job.paused && job.state === 'READY' ? 'PAUSED' : job.state;

/* ---- colours of handlers: given by traffic when the page first reads them, and kept while it is open */
const colours = new Map();
let areColoursKnown = false;

/** Gives colours to the names of the last hour, the busiest first. After that, each new name gets the next colour. */
export function giveColours(names) {
    areColoursKnown = true;
    names.forEach(colour);
}
export function colour(name) {
    if (!colours.has(name) && areColoursKnown) colours.set(name, Math.min(6, colours.size + 1));
    return colours.get(name) ?? 6;
}
export const colourVersion = () => colours.size;
export const handlerName = (name, strong) =>
    h(
        'span',
        { class: 'row handler k' + colour(name) },
        h('i', { class: 'dot' }),
        h(strong ? 'b' : 'span', { class: 'clip', title: name }, name),
    );

/* ---- links stay real links, so a modifier key opens them elsewhere */
export const link = (to, attributes, ...kids) => h('a', { ...attributes, href: to }, kids);
export const jobLink = (id, attributes, ...kids) => link(search('job', { id }), attributes, kids);

export const button = (label, onclick, { ic, cls = '', ...more } = {}) =>
    h('button', { type: 'button', class: 'btn ' + cls, onClick: onclick, ...more }, ic && icon(ic, 14), label);
export const iconButton = (label, ic, onclick, { cls = 'ghost', ...more } = {}) =>
    h(
        'button',
        { type: 'button', class: 'btn icon ' + cls, 'aria-label': label, title: label, onClick: onclick, ...more },
        icon(ic),
    );

export const choice = (label, options, chosen, onchoose) =>
    h(
        'div',
        { class: 'seg', role: 'group', 'aria-label': label },
        options.map(([value, text]) =>
            h(
                'button',
                {
                    type: 'button',
                    key: value,
                    'aria-pressed': String(value === chosen),
                    onClick: () => onchoose(value),
                },
                text,
            ),
        ),
    );

export const onOff = (on, label, onclick, disabled) =>
    h('button', {
        type: 'button',
        class: 'switch',
        role: 'switch',
        'aria-checked': String(on),
        'aria-label': label,
        title: label,
        onClick: onclick,
        disabled,
    });

export const card = (title, note, right, ...body) =>
    h(
        'section',
        { class: 'card', 'aria-label': title },
        h('header', null, h('h2', null, title), note && h('p', null, note), h('div', { class: 'grow' }), right),
        body,
    );

export const wide = (label, table) =>
    h('div', { class: 'scroll', tabIndex: 0, role: 'group', 'aria-label': label }, table);

export const note = (kind, ic, title, text, right) =>
    h(
        'div',
        { class: 'note s-' + kind },
        icon(ic),
        h('div', { class: 'grow' }, h('b', null, title), text && h('p', null, text)),
        right,
    );

export const empty = (ic, title, text, ...more) =>
    h('div', { class: 'empty' }, icon(ic, 36), h('b', null, title), text && h('p', null, text), more);

/** Grey lines in the place of rows. They appear after 300 ms, so that quick answers do not flash. */
export const skeleton = (rows = 5) =>
    h(
        'div',
        { class: 'skels', role: 'status' },
        h('span', { class: 'vh' }, 'Loading'),
        Array.from({ length: rows }, (_, i) =>
            h(
                'div',
                { key: i, class: 'skelrow' },
                [0, 1, 2].map(j => h('div', { key: j, class: 'skel' })),
            ),
        ),
    );

/**
 * The whole page until its first data is there. Nothing stands below it, and it has a key of its own, so that nothing
 * jumps when notes and cards take its place.
 */
export const firstLoad = label =>
    h('section', { class: 'card', 'aria-label': label, key: 'first' }, skeleton(12));

export function loaded(entry, draw, rows) {
    if (entry.value !== undefined) return draw(entry.value);
    if (entry.error) return h('div', { class: 'in' }, note('failed', 'info', 'Not read.', entry.error.message));
    return skeleton(rows);
}

export const stale = entry =>
    entry.value !== undefined && entry.error
        ? h('span', { class: 'st s-ready', title: entry.error.message }, 'from ' + full(entry.at).slice(-16))
        : null;

export const time = (t, text) => h('time', { dateTime: new Date(t).toISOString(), title: full(t) }, text);
export const since = (t, now) => time(t, ago(t, now));

export const bar = (part, cls = '') =>
    h(
        'span',
        { class: 'bar ' + cls, role: 'img', 'aria-label': Math.round(100 * part) + ' %' },
        h('i', { style: { width: Math.min(100, 100 * part).toFixed(0) + '%' } }),
    );

export const lateText = ms =>
    ms === null || ms === undefined
        ? h('span', { class: 'mut' }, '–')
        : ms > 10
          ? h('span', { class: 'st ' + (ms > 1000 ? 's-failed' : 's-ready') }, dur(ms))
          : dur(ms);

export const rate = perSecond =>
    !perSecond
        ? '–'
        : perSecond >= 9.95
          ? Math.round(perSecond) + '/s'
          : perSecond >= 1
            ? perSecond.toFixed(1) + '/s'
            : perSecond * 60 >= 1
              ? Math.round(perSecond * 60) + '/min'
              : Math.max(1, Math.round(perSecond * 3600)) + '/h';

export const keyCell = ({ key }) =>
    h('td', { class: 'mono mut' }, h('span', { class: 'clip key', title: cut(key, 300) }, cut(key, 80) || '–'));

export const th = (text, cls) =>
    h('th', { key: text || cls, class: cls, scope: 'col' }, text || h('span', { class: 'vh' }, 'More'));
export const heads = (...columns) =>
    h(
        'thead',
        null,
        h(
            'tr',
            null,
            columns.map(c => (Array.isArray(c) ? th(...c) : th(c))),
        ),
    );

export const facts = list =>
    h(
        'dl',
        { class: 'kv' },
        list
            .filter(Boolean)
            .map(([name, value, hint]) =>
                h(
                    'div',
                    { key: name },
                    h('dt', null, name),
                    h('dd', null, value, hint && h('span', { class: 'mut' }, ' ', hint)),
                ),
            ),
    );

/** How many frames of libraries are shown in a row, and how many more must follow before they are folded. */
const LIBRARY_FRAMES = 2,
    LEAST_FOLDED = 3;

function kindOf(line) {
    const frame = /^\s*at (?:[\w.@-]+\/)?([\w.$]+)/.exec(line);
    if (!frame) return /^\s*\.\.\. \d+ more/.test(line) ? 'more' : 'hl';
    // Spring's proxies have "$$" in their names.
    return frame[1].includes('$$') ||
        /^(java|javax|jdk|sun|jakarta|org\.springframework|io\.delayjob)\./.test(frame[1]) ||
        /^(org|com)\.(apache|zaxxer|postgresql|mysql|h2)\b/.test(frame[1])
        ? 'library'
        : 'own';
}

/** A stack trace: exceptions in red, frames of the application in bold, and most frames of libraries folded. */
export function trace(text, label) {
    const runs = [];
    for (const line of text.trimEnd().split('\n')) {
        const kind = kindOf(line);
        if (kind === 'library' && runs.at(-1)?.kind === kind) runs.at(-1).lines.push(line);
        else runs.push({ kind, lines: [line] });
    }
    const drawn = kind => (line, i) => h('div', { key: i, class: kind }, line.replace(/^\t/, '  ') || ' ');
    return h(
        'div',
        { class: 'trace', tabIndex: 0, role: 'group', 'aria-label': label },
        runs.map(({ kind, lines }, i) => {
            const folded = lines.length - LIBRARY_FRAMES;
            if (folded < LEAST_FOLDED) return lines.map(drawn(kind));
            return [
                lines.slice(0, LIBRARY_FRAMES).map(drawn(kind)),
                h(
                    'details',
                    { key: 'folded' + i },
                    h('summary', null, `… ${folded} more frames of libraries`),
                    lines.slice(LIBRARY_FRAMES).map(drawn(kind)),
                ),
            ];
        }),
    );
}

export function copy(text) {
    return navigator.clipboard
        ? navigator.clipboard.writeText(text)
        : Promise.reject(new Error('This browser copies only over HTTPS.'));
}

/**
 * The name of an instance without the random part of its incarnation, and without the process number if that is not
 * needed.
 */
export function instanceName(instance) {
    const name = instance.incarnation.replace(/#.*$/, ''),
        host = name.replace(/-\d+$/, '');
    const hosts = (state.pulse?.instances || []).filter(other => other.incarnation.replace(/(-\d+)?#.*$/, '') === host);
    return hosts.length > 1 ? name : host;
}
export const instanceByNumber = number => (state.pulse?.instances || []).find(instance => instance.number === number);
export const nameOfNumber = number => {
    const found = instanceByNumber(number);
    return found ? instanceName(found) : 'instance ' + number;
};

export const errorName = job =>
    job.errorType ? simple(job.errorType) : job.error ? simple(job.error.split(':')[0]) : '–';

/** A modal dialog, which closes with Escape and returns the focus. */
export class Dialog extends Component {
    componentDidMount() {
        this.former = document.activeElement;
        this.box.showModal();
    }

    componentWillUnmount() {
        this.former?.focus?.();
    }

    render({ title, onClose, wide, children }) {
        return h(
            'dialog',
            {
                ref: box => {
                    this.box = box;
                },
                'aria-labelledby': 'dialog-title',
                class: wide ? 'wide' : '',
                onClose,
                onCancel: onClose,
            },
            h('header', null, h('h2', { id: 'dialog-title' }, title)),
            children,
        );
    }
}
