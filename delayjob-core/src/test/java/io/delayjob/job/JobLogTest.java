package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests the lines that handlers log. */
class JobLogTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.123456Z");

    private static JobLog log(List<String> messages) {
        return new JobLog(
                7,
                messages.stream().map(message -> new JobLog.Line(NOW, message)).toList());
    }

    @Test
    void line_isCutAndCleaned_andItsTimeIsInMilliseconds() {
        JobLog.Line line = new JobLog.Line(NOW, "a\tb\n\u0000\uD83D" + "\uD83D\uDE80".repeat(100));

        assertThat(line.message())
                .startsWith("a\\u0009b\\u000A\\u0000\uFFFD\uD83D\uDE80")
                .hasSizeBetween(159, 160);
        assertThat(line.message()).doesNotMatch("(?s).*\\p{Cs}.*");
        assertThat(line.at()).isEqualTo(Instant.parse("2030-01-01T00:00:00.123Z"));
        assertThat(new JobLog.Line(NOW, line.message()).message()).isEqualTo(line.message());
    }

    @Test
    void log_keepsTheNewestLines() {
        JobLog log = log(List.of());
        for (int i = 0; i < 20; i++) {
            log = log.with(new JobLog.Line(NOW, "line " + i));
        }

        assertThat(log.lines()).hasSize(JobLog.MAX_LINES).first().isEqualTo(new JobLog.Line(NOW, "line 12"));
    }

    @Property
    void anyLines_comeBackFromARow_besideAnyResult(
            @ForAll @Size(max = 8) List<String> messages, @ForAll String result) {
        JobLog log = log(messages);

        JobExtras read = JobExtras.parse(
                JobExtras.NONE.withResult(result).withLog(log).withLabel("web").toText());

        List<JobLog.Line> lines = read.log().lines();
        assertThat(lines)
                .isEqualTo(log.lines()
                        .subList(log.lines().size() - lines.size(), log.lines().size()));
        assertThat(read.log().attempt()).isEqualTo(7);
        assertThat(read.result()).isEqualTo(result);
        assertThat(read.withoutResult().withLog(null).toText()).isEqualTo("label web");
    }

    @Test
    void longestLines_fitIntoTwoKilobytes_withTheNewestLast() {
        List<String> messages = IntStream.range(0, 8)
                .mapToObj(i -> i + "\u65e5".repeat(JobLog.Line.MAX_LENGTH))
                .toList();

        JobExtras extras = JobExtras.NONE.withLog(log(messages));

        assertThat(extras.toText().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_500, 2_070);
        assertThat(extras.log().lines()).hasSize(4);
        assertThat(extras.log().lines().get(3).message()).startsWith("7\u65e5");
    }

    @Test
    void linesOfALaterVersion_areNotRead() {
        assertThat(JobExtras.parse("log seven\\n1 a").log()).isNull();
        assertThat(JobExtras.parse("log 7\\nyesterday a").log()).isNull();
        assertThat(JobExtras.parse("log 7\\n1").log()).isNull();
    }
}
