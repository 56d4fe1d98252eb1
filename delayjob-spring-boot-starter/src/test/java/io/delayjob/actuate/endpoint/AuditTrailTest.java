package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.JobId;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;

class AuditTrailTest {

    private static final Caller ANN = new Caller("ann");

    private static final AuditTrail.Change CANCEL = AuditTrail.Change.of("cancel", "job", "4711");

    private final List<AuditEvent> events = new ArrayList<>();
    private final AuditTrail trail =
            new AuditTrail(event -> events.add(((AuditApplicationEvent) event).getAuditEvent()), null);

    @Test
    void changeInLog_hasNoControlCharacters() {
        AuditTrail.Change forged =
                new AuditTrail.Change("pause", "queue", "bulk", Map.of("reason", "a\nJob 42: 'cancel' by 'root'"));

        assertThat(forged.toString())
                .startsWith("Queue 'bulk': 'pause' {reason=a")
                .doesNotContain("\n");
    }

    @Test
    void change_isPublishedWithWhoDidWhatToWhich() {
        String result = trail.of(ANN, CANCEL, () -> "CANCELLED", AuditTrail.Outcome::of);

        assertThat(result).isEqualTo("CANCELLED");
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo("DELAYJOB_CHANGE");
            assertThat(event.getPrincipal()).isEqualTo("ann");
            assertThat(event.getData())
                    .containsExactlyInAnyOrderEntriesOf(
                            Map.of("action", "cancel", "job", "4711", "result", "CANCELLED"));
        });
    }

    @Test
    void changeOfASelection_namesTheFirstHundredJobs() {
        List<JobId> changed = LongStream.range(0, 500)
                .mapToObj(number -> new JobId(new UUID(0, number)))
                .toList();
        AuditTrail.Change change = new AuditTrail.Change("retry", "selection", "FAILED", Map.of("spread", "PT10M"));

        trail.of(new Caller(null), change, () -> changed, all -> AuditTrail.Outcome.of(all, 3, true));

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getPrincipal()).isEqualTo("anonymous");
            assertThat(event.getData())
                    .containsEntry("selection", "FAILED")
                    .containsEntry("spread", "PT10M")
                    .containsEntry("changed", 500)
                    .containsEntry("skipped", 3);
            assertThat((List<?>) event.getData().get("jobs"))
                    .hasSize(AuditTrail.MAX_JOBS)
                    .first()
                    .isEqualTo(changed.get(0).toString());
        });
    }

    @Test
    void changeThatFails_mayHaveBeenMade_soItIsToldOf() {
        assertThatThrownBy(() -> trail.of(
                        ANN,
                        CANCEL,
                        () -> {
                            throw StoreException.unavailable("away", new IllegalStateException());
                        },
                        AuditTrail.Outcome::of))
                .isInstanceOf(StoreException.class);

        assertThat(events)
                .singleElement()
                .satisfies(event -> assertThat(event.getData()).containsEntry("result", "UNKNOWN"));
    }

    @Test
    void requestThatIsRefused_isNoChange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> trail.of(
                        ANN,
                        CANCEL,
                        () -> {
                            throw new IllegalArgumentException("no such delay");
                        },
                        AuditTrail.Outcome::of));

        assertThat(events).isEmpty();
    }

    @Test
    void listenerThatFails_doesNotChangeTheAnswer() {
        AuditTrail unlucky = new AuditTrail(
                event -> {
                    throw new IllegalStateException("the audit database is away");
                },
                null);

        assertThat(unlucky.of(ANN, CANCEL, () -> "CANCELLED", AuditTrail.Outcome::of))
                .isEqualTo("CANCELLED");
    }
}
