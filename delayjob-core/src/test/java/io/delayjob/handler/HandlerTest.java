package io.delayjob.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.JobOutcome;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HandlerTest {

    private static final JobHandler NOTHING = (arguments, job) -> null;

    @Test
    void handler_isFoundByItsNameAndItsFormerNames() {
        HandlerRegistry registry = new HandlerRegistry();
        Handler handler =
                Handler.named("cancel-order").formerNames(Set.of("cancelOrder")).calls(NOTHING);
        registry.register(handler);
        assertThat(registry.find("cancel-order")).isSameAs(handler);
        assertThat(registry.find("cancelOrder")).isSameAs(handler);
        assertThat(registry.find("unknown")).isNull();
        assertThat(registry.names()).containsExactlyInAnyOrder("cancel-order", "cancelOrder");
        assertThat(registry.all()).containsExactly(handler);
    }

    @Test
    void twoHandlersOfOneNameAreRefused() {
        HandlerRegistry registry = new HandlerRegistry();
        registry.register(Handler.named("a").calls(NOTHING));
        assertThatThrownBy(() -> registry.register(
                        Handler.named("b").formerNames(Set.of("a")).calls(NOTHING)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Two handlers have the name 'a'");
    }

    @Test
    void namesAndQueuesThatCannotBeStoredAreRefused() {
        assertThatThrownBy(() -> Handler.checkName(" ")).hasMessageContaining("1 to 100 characters");
        assertThatThrownBy(() -> Handler.checkName("x".repeat(101))).hasMessageContaining("(101 characters)");
        assertThat(Handler.checkName("x".repeat(100))).hasSize(100);
        assertThatThrownBy(() -> Handler.checkQueue("a b")).hasMessageContaining("letters, digits");
        assertThatThrownBy(() -> Handler.checkQueue("q".repeat(41))).hasMessageContaining("(41 characters)");
        assertThat(Handler.checkQueue("q".repeat(40))).hasSize(40);
    }

    @Test
    void invalidLimits_areRefused() {
        assertThatThrownBy(() -> Handler.named("a").concurrency(0).calls(NOTHING))
                .hasMessageContaining("must be 1 or more");
        assertThatThrownBy(
                        () -> Handler.named("a").scope(ConcurrencyScope.CLUSTER).calls(NOTHING))
                .hasMessage(
                        "Invalid scope CLUSTER of handler 'a': must come with a concurrency, the maximum number of attempts at a time on all instances. State a concurrency, or remove the scope.");
        assertThatThrownBy(() -> Handler.named("a").timeout(Duration.ZERO).calls(NOTHING))
                .hasMessageContaining("must be longer than zero");
        assertThatThrownBy(() ->
                        Handler.named("a").maxSnooze(Duration.ofSeconds(-1)).calls(NOTHING))
                .hasMessage(
                        "Invalid maxSnooze PT-1S of handler 'a': must be zero or more; zero makes every snooze a failure.");
        assertThatThrownBy(() -> Handler.named("a").priority(0).calls(NOTHING))
                .hasMessage("Invalid priority 0 of handler 'a': must be from 1 to 100; the default is 10.");
        assertThatThrownBy(() -> Handler.named("a").priority(101).calls(NOTHING))
                .hasMessageContaining("Invalid priority 101");
    }

    @Test
    void resultsOfNext_haveTheirOutcomes() {
        assertThat(Next.asPlanned().outcome()).isEqualTo(new JobOutcome.Succeeded());
        assertThat(Next.stop().outcome()).isEqualTo(new JobOutcome.Stopped());
        assertThat(Next.after(Duration.ofSeconds(5)).outcome())
                .isEqualTo(new JobOutcome.Continued(Duration.ofSeconds(5)));
        assertThat(Next.snooze(Duration.ofSeconds(5)).outcome())
                .isEqualTo(new JobOutcome.Snoozed(Duration.ofSeconds(5)));
        assertThatThrownBy(() -> Next.snooze(Duration.ofNanos(999_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Invalid delay PT0.000999999S of a snooze: must be 1 ms or more; to continue at once, do not snooze.");
        assertThat(Next.after(Duration.ZERO)).hasToString("Next[Continued[delay=PT0S]]");
        assertThatThrownBy(() -> Next.after(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid delay PT-0.001S: must be zero or more.");
    }
}
