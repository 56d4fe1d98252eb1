package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.MemoryJobStore;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A thousand jobs with the same trouble are one piece of news. */
@ExtendWith(OutputCaptureExtension.class)
class LogNoiseTest {

    @Test
    void jobsWithoutAHandler_areMentionedOnceByName(CapturedOutput output) {
        DelayJobTester tester = DelayJobTester.builder().build();
        tester.register(Handler.named("known").calls((arguments, job) -> null));
        for (int i = 0; i < 10; i++) {
            tester.operations().schedule("no-handler-now").now();
            tester.operations().schedule("no-handler-later").after(Duration.ofMinutes(i));
        }

        tester.advance(Duration.ofHours(1));

        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("no handler of that name"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("'no-handler-now'"),
                        line -> assertThat(line).contains("'no-handler-later'"));
    }

    /** Older versions let such names pass. */
    @Test
    void namesWithLineBreaks_forgeNoLines(CapturedOutput output) {
        VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
        MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
        String name = "mail\nERROR forged";
        Instant now = time.clock().storeTime();
        NewJob job = new NewJob(
                JobId.create(0, new Random(1)),
                new Partition("default", 0),
                name,
                null,
                OnExisting.KEEP,
                null,
                null,
                null,
                null,
                1,
                now,
                now,
                now);
        store.submit(List.of(job), rows -> {});

        DelayJobTester.builder().time(time).store(store).build().advance(Duration.ofHours(3));

        assertThat(output).contains("Jobs named 'mail\\u000AERROR forged' are stored");
        assertThat(output.getOut().lines()).noneMatch(line -> line.startsWith("ERROR forged"));
    }

    @Test
    void jobsThatCannotBeRead_areMentionedOnceByNameAndTenMinutes(CapturedOutput output) {
        DelayJobTester tester =
                DelayJobTester.builder().codec(new UnreadableCodec()).build();
        tester.register(Handler.named("unreadable").calls((arguments, job) -> null));
        for (int i = 0; i < 10; i++) {
            tester.operations().schedule("unreadable").now();
        }

        // Swept once an hour in virtual time.
        tester.advance(Duration.ofMinutes(90));

        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("cannot be read here"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("as were 0 of that name"),
                        line -> assertThat(line).contains("as were 9 of that name"));
    }

    private static final class UnreadableCodec implements PayloadCodec {

        @Override
        public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
            return null;
        }

        @Override
        public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
            throw new InvalidPayloadException("pretended");
        }
    }
}
