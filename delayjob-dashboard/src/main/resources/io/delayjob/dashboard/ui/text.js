/* Numbers, durations and times as text, and the few words that the pages share. Times are milliseconds of the
 * store's clock. */

const SECOND = 1e3,
    MINUTE = 6e4,
    HOUR = 36e5,
    DAY = 864e5;
export { SECOND, MINUTE, HOUR, DAY };

/** Returns the milliseconds of an ISO-8601 duration, such as PT1M0.5S; null for an absent one. */
export function millis(text) {
    if (text === undefined || text === null) return null;
    const [, sign, d, hh, m, s] = /^(-?)P(?:(-?[\d.]+)D)?(?:T(?:(-?[\d.]+)H)?(?:(-?[\d.]+)M)?(?:(-?[\d.]+)S)?)?$/.exec(
        text,
    );
    return (sign ? -1 : 1) * ((d || 0) * DAY + (hh || 0) * HOUR + (m || 0) * MINUTE + (s || 0) * SECOND);
}

export const instant = text => (text === undefined || text === null ? null : Date.parse(text));

/** Keeps the height of a line whose text is not known yet. */
export const BLANK = '\u00a0';

export const n0 = n => Math.round(n).toLocaleString('en');

export const short = n =>
    n >= 9.995e8
        ? (n / 1e9).toFixed(1) + ' G'
        : n >= 9.995e5
          ? (n / 1e6).toFixed(n >= 9.995e7 ? 0 : 1) + ' M'
          : n >= 1e4
            ? Math.round(n / 1e3) + ' k'
            : n >= 1e3
              ? (n / 1e3).toFixed(1) + ' k'
              : n >= 10 || n === 0
                ? String(Math.round(n))
                : String(Math.round(n * 10) / 10);

/** A number of jobs: an estimate has "≈", a lower bound "≥". */
export function count(n, precision = 'EXACT') {
    if (n === undefined || n === null) return '–';
    const text = n < 1e5 && precision === 'EXACT' ? n0(n) : short(n);
    return precision === 'ABOUT' ? '≈ ' + text : precision === 'AT_LEAST' ? '≥ ' + text : text;
}

/** Returns the precision of a sum whose parts have these precisions. */
export const leastExact = precisions => ['ABOUT', 'AT_LEAST'].find(one => precisions.includes(one));

const two = (n, unit, m, lesser) => (m ? `${n} ${unit} ${m} ${lesser}` : `${n} ${unit}`);

export function dur(ms) {
    if (ms === null || ms === undefined) return '–';
    if (ms < 0) return '−' + dur(-ms);
    if (ms === 0) return '0 s';
    if (ms < 0.9995) return Math.round(ms * 1e3) + ' µs';
    if (ms < 9.95) return ms.toFixed(1) + ' ms';
    if (ms < 999.5) return Math.round(ms) + ' ms';
    if (ms < 9950) return (ms / SECOND).toFixed(1) + ' s';
    const s = Math.round(ms / SECOND);
    if (s < 60) return s + ' s';
    if (s < 3600) return two(Math.floor(s / 60), 'm', s % 60, 's');
    const m = Math.round(s / 60);
    if (m < 1440) return two(Math.floor(m / 60), 'h', m % 60, 'm');
    const hours = Math.round(m / 60);
    return hours < 24 * 60 ? two(Math.floor(hours / 24), 'd', hours % 24, 'h') : Math.round(hours / 24) + ' d';
}

/** A measured time. Times of jobs are whole milliseconds, so 0 means less than one. */
export const measured = ms => (ms === 0 ? '< 1 ms' : dur(ms));
export const late = ms => (ms ? '+' : '') + measured(ms);

const UNITS = { ms: 1, s: SECOND, m: MINUTE, min: MINUTE, h: HOUR, d: DAY };

/** Returns the milliseconds of a typed duration, such as "10 m" or "1h 30m"; null if the text is not a duration. */
export function parseDuration(text) {
    const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)\s*(ms|min|s|m|h|d)\s*/gy)];
    if (!parts.length || parts.map(part => part[0]).join('') !== text.trim()) return null;
    return parts.reduce((sum, [, n, unit]) => sum + n * UNITS[unit], 0);
}

export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
let zone = 'UTC';
const formats = new Map();

export const zoneName = () => zone;
export const useZone = name => {
    zone = name;
};

function format(t, pattern) {
    const key = zone + JSON.stringify(pattern);
    if (!formats.has(key))
        formats.set(key, new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...pattern }));
    return formats.get(key).format(t);
}
const HMS = { hour: '2-digit', minute: '2-digit', second: '2-digit' };

export const hm = t => format(t, { hour: '2-digit', minute: '2-digit' });
export const clock = (t, fraction) => format(t, fraction ? { ...HMS, fractionalSecondDigits: 3 } : HMS);
export const date = t => format(t, { day: 'numeric', month: 'short' });
export const full = t =>
    format(t, { day: 'numeric', month: 'short', year: 'numeric', ...HMS, fractionalSecondDigits: 3 }) + ' ' + zone;

export function when(t, now, fraction) {
    if (date(t) === date(now)) return clock(t, fraction);
    return (date(t) === date(now - DAY) ? 'yesterday ' : date(t) + ' ') + hm(t);
}

export const ago = (t, now) => (now - t < 1 ? 'now' : dur(now - t) + ' ago');
export const relative = (t, now) => (t > now ? 'in ' + dur(t - now) : ago(t, now));

export const STATES = ['DELAYED', 'READY', 'RUNNING', 'AWAITING', 'FINISHED', 'FAILED', 'CANCELLED'];
export const STATE_NAMES = {
    DELAYED: 'Delayed',
    READY: 'Ready',
    RUNNING: 'Running',
    AWAITING: 'Awaiting',
    FINISHED: 'Finished',
    FAILED: 'Failed',
    CANCELLED: 'Cancelled',
    RETRYING: 'Retrying',
    PAUSED: 'Paused',
};

const NUMBERS = [
    'no',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
];
export const number = n => NUMBERS[n] ?? n0(n);
const ORDINALS = ['', 'First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'];
export const ordinal = n => ORDINALS[n] ?? `${n0(n)}th`;
export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
export const plural = (n, one, many = one + 's') => (n === 1 ? one : many);

export const simple = type => (type ? type.slice(type.lastIndexOf('.') + 1) : 'Unknown');

export const cut = (text, length = 160) => (text && text.length > length ? text.slice(0, length) + '…' : text);

/* ---- histograms of lateness: counts below each bound, and above the last */
export function quantile(hist, bounds, p) {
    const sum = hist.reduce((a, b) => a + b, 0);
    if (!sum) return null;
    let rest = p * sum,
        i = 0;
    while (i < hist.length - 1 && rest > hist[i]) rest -= hist[i++];
    const low = i ? bounds[i - 1] : 0,
        high = bounds[i] ?? low;
    return low + (high - low) * (hist[i] ? Math.min(1, rest / hist[i]) : 0);
}

export const addTo = (sum, more) => {
    more.forEach((n, i) => {
        sum[i] = (sum[i] || 0) + n;
    });
    return sum;
};
export const total = list => list.reduce((a, b) => a + b, 0);

const spans = list => list.split(',').map(span => dur(millis(span))).join(', ');
const RULES = {
    none: () => 'no retry',
    gaps: body => (body.endsWith('*') ? `every ${spans(body.slice(0, -1))} in turn` : `after ${spans(body)}`),
    every: body => 'every ' + (body.includes('@') ? body.replace('@', ' ') : spans(body)),
    offsets: body => 'at ' + spans(body),
    growing: body => {
        const [, first, factor, limit] = /^([^*]+)\*([\d.]+)(?:<=(.+))?$/.exec(body);
        return `${spans(first)} growing ` + (limit ? 'to ' + spans(limit) : '× ' + factor);
    },
    cron: body => 'cron ' + body.replace(/@(?=[^@]*$)/, ' '),
};

/** A schedule or a retry policy in words. Its text form stands for one that this page does not know. */
export function terms(text) {
    try {
        const [rule, ...options] = text.split(';'),
            [, kind, body] = /^(\w+)(?::(.*))?$/.exec(rule),
            retries = options.find(option => option.startsWith('retries='));
        return [
            (retries ? retries.slice('retries='.length) + ' retries, ' : '') + RULES[kind](body),
            ...options.filter(option => option !== retries).map(option => option.replace('=', ' ').replace(/\bP[\dDTHMS.]+$/, spans)),
        ].join(', ');
    } catch {
        return text;
    }
}
