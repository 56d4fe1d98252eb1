package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.job.JobId;
import io.delayjob.test.DelayJobTester;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What a line that a handler logs can say of its job. In virtual time handlers run on the test's thread. */
class JobInLogTest {

    private final DelayJobTester tester = DelayJobTester.builder().build();
    private final Map<String, String> seen = new HashMap<>();
    private String context;

    private Object look(JobContext job) {
        seen.putAll(MDC.getCopyOfContextMap());
        context = job.toString();
        return null;
    }

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void handler_hasItsJobInTheLoggingContext() {
        tester.register(Handler.named("send-mail").calls((arguments, job) -> look(job)));
        JobId id = tester.operations().schedule("send-mail").now().id();

        tester.runDue();

        assertThat(seen)
                .containsEntry("delayjob.id", id.toString())
                .containsEntry("delayjob.name", "send-mail")
                .containsEntry("delayjob.run", "1")
                .containsEntry("delayjob.attempt", "1");
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void handler_hasTheLabelsOfItsJobInTheLoggingContext_ifThereAreAny() {
        tester.register(Handler.named("send-mail").calls((arguments, job) -> look(job)));
        tester.operations().schedule("send-mail").now();
        tester.runDue();
        assertThat(seen).doesNotContainKey("delayjob.labels");

        tester.operations()
                .schedule("send-mail")
                .label("web")
                .label("customer:7")
                .now();
        tester.runDue();

        assertThat(seen).containsEntry("delayjob.labels", "customer:7, web");
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void whatStoodInTheLoggingContext_isRestored_evenWhereTheHandlerFails() {
        tester.register(Handler.named("send-mail").calls((arguments, job) -> {
            look(job);
            throw new IllegalStateException("pretended");
        }));
        tester.operations().schedule("send-mail").now();
        MDC.put("delayjob.name", "outer");
        MDC.put("user", "ann");

        tester.runDue();

        assertThat(seen).containsEntry("delayjob.name", "send-mail").containsEntry("user", "ann");
        assertThat(MDC.getCopyOfContextMap())
                .containsExactlyInAnyOrderEntriesOf(Map.of("delayjob.name", "outer", "user", "ann"));
    }

    @Test
    void context_saysWhichAttemptItIs() {
        tester.register(Handler.named("send-mail").calls((arguments, job) -> look(job)));
        JobId id = tester.operations().schedule("send-mail").now().id();

        tester.runDue();

        assertThat(context).isEqualTo("send-mail (%s), run 1, attempt 1".formatted(id));
    }
}
