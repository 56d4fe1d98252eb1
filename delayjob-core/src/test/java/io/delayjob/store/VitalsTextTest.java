package io.delayjob.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VitalsTextTest {

    private static final Vitals VITALS = new Vitals(
            "0.1.0",
            Instant.parse("2030-01-01T08:00:00Z"),
            Duration.ofMillis(-3),
            new Vitals.Memory(2_104, 7, 1_000_000),
            new Vitals.Rates(208.25, 207, List.of(5L, 0L, 1L)),
            List.of(
                    new Vitals.QueueUse("default", 16, 3, 1, List.of(0, 3, 7)),
                    new Vitals.QueueUse("elsewhere", 0, 0, 0, List.of(1_023)),
                    new Vitals.QueueUse("reports", 2, 0, 0, List.of())),
            new Vitals.LongestRunning(
                    new JobId(new UUID(1, 2)), "nightly report", Instant.parse("2030-01-01T07:59:00.123Z")),
            List.of(
                    new Vitals.Progress(new JobId(new UUID(3, 4)), 2, 17, 4_711, "page 17"),
                    new Vitals.Progress(new JobId(new UUID(5, 6)), 1, 0, 0, "")),
            List.of(
                    log(new UUID(7, 8), "read the file", "page 17"),
                    log(new UUID(3, 4), "page\t17"),
                    new Vitals.Log(
                            new JobId(new UUID(7, 8)),
                            new JobLog(3, List.of(new JobLog.Line(Instant.ofEpochMilli(5), "a later attempt"))))));

    private static Vitals.Log log(UUID job, String... messages) {
        return new Vitals.Log(
                new JobId(job),
                new JobLog(
                        2,
                        IntStream.range(0, messages.length)
                                .mapToObj(i -> new JobLog.Line(Instant.ofEpochMilli(1_900_000_000_000L), messages[i]))
                                .toList()));
    }

    @Test
    void vitals_writtenAndRead_areTheSame() {
        assertThat(VitalsText.read(VitalsText.write(VITALS))).isEqualTo(VITALS);
    }

    @Test
    void noteThatCouldNotBeStored_isCutAndReplaced() {
        String note = "a\tb\n\u0000\uD83D" + "\uD83D\uDE80".repeat(40);

        String told = new Vitals.Progress(new JobId(new UUID(3, 4)), 1, 1, 2, note).note();

        assertThat(told).startsWith("a\\u0009b\\u000A\\u0000\uFFFD\uD83D\uDE80").hasSizeBetween(59, 60);
        assertThat(Character.isHighSurrogate(told.charAt(told.length() - 1))).isFalse();
    }

    @Test
    void minimalVitals_areRead() {
        Vitals unknown = new Vitals(
                null,
                VITALS.since(),
                VITALS.clockSkew(),
                VITALS.memory(),
                new Vitals.Rates(0, 0, List.of()),
                List.of(),
                null);

        assertThat(VitalsText.read(VitalsText.write(unknown))).isEqualTo(unknown);
    }

    @Test
    void text_ofANewerVersion_isReadAsFarAsItIsKnown() {
        String newer = VitalsText.write(VITALS).replace("memory\t2104\t7\t1000000", "memory\t2104\t7\t1000000\t99")
                + "\ncpu\t0.7\nqueue\tnew\t1\t2\t3\t01\tmore";

        Vitals read = VitalsText.read(newer);

        assertThat(read.memory()).isEqualTo(VITALS.memory());
        assertThat(read.queues()).hasSize(4).endsWith(new Vitals.QueueUse("new", 1, 2, 3, List.of(0)));
    }

    @Test
    void text_withoutAFact_countsItAsZero() {
        Vitals read = VitalsText.read("since\t1000\nqueue\tdefault\t16");

        assertThat(read.since()).isEqualTo(Instant.ofEpochSecond(1));
        assertThat(read.memory()).isEqualTo(new Vitals.Memory(0, 0, 0));
        assertThat(read.longest()).isNull();
        assertThat(read.rates().late()).isEmpty();
        assertThat(read.queues()).containsExactly(new Vitals.QueueUse("default", 16, 0, 0, List.of()));
    }

    @Test
    void text_thatCannotBeRead_isUnknown() {
        assertThat(VitalsText.read(null)).isNull();
        assertThat(VitalsText.read("")).isNull();
        assertThat(VitalsText.read("since\tyesterday")).isNull();
        assertThat(VitalsText.read("queue\tdefault\t16\t0\t0\tzz")).isNull();
    }

    @Test
    void text_withManyLines_hasAllProgress_andTheNewestLinesOfEachAttempt() {
        List<Vitals.Progress> progress = IntStream.range(0, 20)
                .mapToObj(i -> new Vitals.Progress(new JobId(new UUID(1, i)), 1, 1, 2, "page " + i))
                .toList();
        String[] messages =
                IntStream.range(0, 8).mapToObj(i -> i + "x".repeat(140)).toArray(String[]::new);
        List<Vitals.Log> logs = IntStream.range(0, 4)
                .mapToObj(i -> log(new UUID(1, i), messages))
                .toList();

        String text = VitalsText.write(new Vitals(
                "1",
                VITALS.since(),
                VITALS.clockSkew(),
                VITALS.memory(),
                VITALS.rates(),
                VITALS.queues(),
                null,
                progress,
                logs));

        assertThat(text).hasSizeLessThanOrEqualTo(VitalsText.MAX_LENGTH);
        Vitals read = VitalsText.read(text);
        assertThat(read.progress()).isEqualTo(progress);
        assertThat(read.logs()).hasSize(4).allSatisfy(told -> {
            List<JobLog.Line> lines = told.log().lines();
            assertThat(lines).hasSizeBetween(2, 3);
            assertThat(lines).isEqualTo(logs.get(0).log().lines().subList(8 - lines.size(), 8));
        });
    }

    @Test
    void text_ofTheMostAndLongestQueues_isBounded_andKeepsTheFirst() {
        List<Integer> all = IntStream.range(0, 1_024).boxed().toList();
        List<Vitals.QueueUse> queues = IntStream.range(0, 500)
                .mapToObj(i -> new Vitals.QueueUse("q".repeat(37) + i, 10_000, 10_000, 10_000, all))
                .toList();

        String text = VitalsText.write(new Vitals(
                "v".repeat(1_000),
                VITALS.since(),
                VITALS.clockSkew(),
                VITALS.memory(),
                VITALS.rates(),
                queues,
                new Vitals.LongestRunning(new JobId(new UUID(1, 2)), "n".repeat(100), VITALS.since()),
                Collections.nCopies(
                        20, new Vitals.Progress(new JobId(new UUID(1, 2)), 1, 1, Long.MAX_VALUE, "n".repeat(60))),
                List.of(log(new UUID(1, 2), "l".repeat(160)))));

        assertThat(text).hasSizeLessThanOrEqualTo(VitalsText.MAX_LENGTH);
        List<Vitals.QueueUse> read = VitalsText.read(text).queues();
        assertThat(read).isNotEmpty().isEqualTo(queues.subList(0, read.size()));
    }
}
