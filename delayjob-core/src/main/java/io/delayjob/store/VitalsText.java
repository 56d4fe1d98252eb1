package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts {@link Vitals} to text and back. The text has one line for each fact, with tabs between the values.
 * Different versions of delayjob read each other's text: unknown lines and additional values are ignored, and a missing
 * value is zero.
 */
public final class VitalsText {

    /** Maximum number of characters of the text. Some queues, progress or logged lines are left out if not all fit. */
    public static final int MAX_LENGTH = 4_000;

    private static final int MAX_VERSION = 100;
    private static final String TAB = "\t";
    private static final String VERSION = "version";
    private static final String SINCE = "since";
    private static final String SKEW = "skew";
    private static final String MEMORY = "memory";
    private static final String RATES = "rates";
    private static final String LATE = "late";
    private static final String LONGEST = "longest";
    private static final String QUEUE = "queue";
    private static final String PROGRESS = "progress";
    private static final String LOG = "log";

    private VitalsText() {}

    /** Writes vitals as text. */
    public static String write(Vitals vitals) {
        List<String> lines = new ArrayList<>();
        String version = vitals.version();
        if (version != null) {
            lines.add(line(VERSION, version.substring(0, Math.min(version.length(), MAX_VERSION))));
        }
        lines.add(line(SINCE, vitals.since().toEpochMilli()));
        lines.add(line(SKEW, vitals.clockSkew().toMillis()));
        Vitals.Memory memory = vitals.memory();
        lines.add(line(MEMORY, memory.waiting(), memory.ready(), memory.capacity()));
        Vitals.Rates rates = vitals.rates();
        lines.add(line(RATES, rates.startsPerSecond(), rates.endsPerSecond()));
        lines.add(line(LATE, rates.late().toArray()));
        Vitals.LongestRunning longest = vitals.longest();
        if (longest != null) {
            lines.add(line(LONGEST, longest.job(), longest.since().toEpochMilli(), longest.name()));
        }
        addFitting(
                lines,
                vitals.queues().stream()
                        .map(use -> line(
                                QUEUE,
                                use.queue(),
                                use.concurrency(),
                                use.running(),
                                use.claimed(),
                                hex(use.partitions())))
                        .toList());
        addFitting(
                lines,
                vitals.progress().stream()
                        .map(told -> line(PROGRESS, told.job(), told.attempt(), told.done(), told.total(), told.note()))
                        .toList());
        addFitting(lines, inTurns(vitals.logs()));
        return String.join("\n", lines);
    }

    /** If not all lines fit, this order keeps the newest lines of each attempt. */
    private static List<String> inTurns(List<Vitals.Log> logs) {
        List<String> lines = new ArrayList<>();
        for (int back = 1; back <= JobLog.MAX_LINES; back++) {
            for (Vitals.Log told : logs) {
                List<JobLog.Line> all = told.log().lines();
                if (back <= all.size()) {
                    JobLog.Line line = all.get(all.size() - back);
                    lines.add(line(
                            LOG, told.job(), told.log().attempt(), line.at().toEpochMilli(), line.message()));
                }
            }
        }
        return lines;
    }

    private static void addFitting(List<String> lines, List<String> further) {
        int length = lines.stream().mapToInt(line -> line.length() + 1).sum();
        for (String line : further) {
            length += line.length() + 1;
            if (length > MAX_LENGTH) {
                return;
            }
            lines.add(line);
        }
    }

    private static String line(String fact, Object... values) {
        return fact + TAB + Arrays.stream(values).map(Object::toString).collect(Collectors.joining(TAB));
    }

    /** Each partition takes only one bit, because there may be many partitions. */
    private static String hex(List<Integer> partitions) {
        BitSet led = new BitSet();
        partitions.forEach(led::set);
        return HexFormat.of().formatHex(led.toByteArray());
    }

    /** Reads vitals from text; returns {@code null} if there is no text, or if it cannot be read. */
    public static @Nullable Vitals read(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return parsed(text);
        } catch (IllegalArgumentException unreadable) {
            return null;
        }
    }

    private static Vitals parsed(String text) {
        Map<String, List<String>> facts = new HashMap<>();
        List<Vitals.QueueUse> queues = new ArrayList<>();
        List<Vitals.Progress> progress = new ArrayList<>();
        Map<String, Vitals.Log> logs = new LinkedHashMap<>();
        for (String line : text.split("\n")) {
            List<String> values = List.of(line.split(TAB, -1));
            if (values.get(0).equals(QUEUE)) {
                queues.add(new Vitals.QueueUse(
                        at(values, 1),
                        number(at(values, 2)),
                        number(at(values, 3)),
                        number(at(values, 4)),
                        indexes(at(values, 5))));
            } else if (values.get(0).equals(PROGRESS)) {
                progress.add(new Vitals.Progress(
                        JobId.parse(at(values, 1)),
                        number(at(values, 2)),
                        longOf(at(values, 3)),
                        longOf(at(values, 4)),
                        at(values, 5)));
            } else if (values.get(0).equals(LOG)) {
                JobId job = JobId.parse(at(values, 1));
                JobLog.Line older = new JobLog.Line(Instant.ofEpochMilli(longOf(at(values, 3))), at(values, 4));
                // Two attempts of one job may run at the same time, if an answer has ended the run of the first.
                logs.merge(
                        at(values, 1) + TAB + at(values, 2),
                        new Vitals.Log(job, new JobLog(number(at(values, 2)), List.of(older))),
                        VitalsText::olderFirst);
            } else {
                facts.put(values.get(0), values);
            }
        }
        List<String> memory = facts.getOrDefault(MEMORY, List.of());
        List<String> rates = facts.getOrDefault(RATES, List.of());
        List<String> late = facts.getOrDefault(LATE, List.of());
        return new Vitals(
                facts.containsKey(VERSION) ? at(facts.get(VERSION), 1) : null,
                Instant.ofEpochMilli(longOf(at(facts.getOrDefault(SINCE, List.of()), 1))),
                Duration.ofMillis(longOf(at(facts.getOrDefault(SKEW, List.of()), 1))),
                new Vitals.Memory(number(at(memory, 1)), number(at(memory, 2)), number(at(memory, 3))),
                new Vitals.Rates(
                        Double.parseDouble(at(rates, 1)),
                        Double.parseDouble(at(rates, 2)),
                        late.stream()
                                .skip(1)
                                .filter(count -> !count.isEmpty())
                                .map(VitalsText::longOf)
                                .toList()),
                queues,
                longest(facts.get(LONGEST)),
                progress,
                List.copyOf(logs.values()));
    }

    private static Vitals.Log olderFirst(Vitals.Log newer, Vitals.Log older) {
        List<JobLog.Line> lines = new ArrayList<>(older.log().lines());
        lines.addAll(newer.log().lines());
        return new Vitals.Log(newer.job(), new JobLog(newer.log().attempt(), lines));
    }

    private static Vitals.@Nullable LongestRunning longest(@Nullable List<String> values) {
        return values == null
                ? null
                : new Vitals.LongestRunning(
                        JobId.parse(at(values, 1)), at(values, 3), Instant.ofEpochMilli(longOf(at(values, 2))));
    }

    private static String at(List<String> values, int index) {
        return index < values.size() ? values.get(index) : "0";
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    private static long longOf(String text) {
        return Long.parseLong(text);
    }

    private static List<Integer> indexes(String hex) {
        // A missing value was read as "0", which has an odd number of digits.
        return hex.length() % 2 == 1
                ? List.of()
                : BitSet.valueOf(HexFormat.of().parseHex(hex)).stream().boxed().toList();
    }
}
