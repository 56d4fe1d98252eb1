package io.delayjob.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueueSettings;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** At most four queues of two partitions each; a handler declares queue {@code mail}. */
class QueueChoiceTest {

    private final HandClock clock = new HandClock();
    private final HandlerRegistry handlers = new HandlerRegistry();
    private final Map<String, QueueSettings> configured = new LinkedHashMap<>();
    private Set<String> elsewhere = Set.of();

    private QueueChoice choice() {
        handlers.register(Handler.named("send").queue("mail").calls((arguments, job) -> null));
        EngineSettings settings = EngineSettings.defaults("test#1").toBuilder()
                .queues(configured)
                .partitions(2)
                .maxQueues(4)
                .build();
        return new QueueChoice(settings, new QueueNames(settings, handlers), () -> elsewhere, clock);
    }

    @Test
    void queuesThatOnlyCallsName_areChosenUpToTheMaximum_theLongestOverdueFirst() {
        QueueChoice choice = choice();
        Set<Partition> candidates = choice.candidates(inUse("e", "d", "c", "b", "a"));
        assertThat(queues(candidates)).containsExactly("c", "d", "e", "mail");
        assertThat(candidates).hasSize(8);
        assertThat(choice.left()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void emptyQueue_losesItsPlaceToAWaitingQueue() {
        QueueChoice choice = choice();
        choice.candidates(inUse("e", "d", "c", "b"));
        clock.advance(Duration.ofSeconds(10));
        assertThat(queues(choice.candidates(inUse("e", "c", "b")))).containsExactly("b", "c", "e", "mail");
        assertThat(choice.left()).isEmpty();
    }

    @Test
    void queueWhoseFirstJobIsFarAhead_losesItsPlaceToAQueueWithDueJobs() {
        QueueChoice choice = choice();
        Map<Partition, Instant> inUse = new LinkedHashMap<>(inUse("e", "d"));
        inUse.put(new Partition("c", 0), HandClock.START.plus(Duration.ofDays(30)));
        choice.candidates(inUse);
        assertThat(choice.left()).isEmpty();

        inUse.put(new Partition("a", 0), HandClock.START.plusSeconds(9));
        assertThat(queues(choice.candidates(inUse))).containsExactly("a", "d", "e", "mail");
        assertThat(choice.left()).containsExactly("c");

        inUse.remove(new Partition("a", 0));
        clock.advance(Duration.ofDays(30).minusSeconds(30));
        assertThat(queues(choice.candidates(inUse))).containsExactly("c", "d", "e", "mail");
        assertThat(choice.left()).isEmpty();
    }

    @Test
    void queueWhoseFirstJobComesSoon_keepsItsPlace() {
        QueueChoice choice = choice();
        Map<Partition, Instant> inUse = new LinkedHashMap<>(inUse("e", "d"));
        inUse.put(new Partition("c", 0), HandClock.START.plus(Duration.ofMinutes(4)));
        choice.candidates(inUse);

        inUse.put(new Partition("a", 0), HandClock.START);
        assertThat(queues(choice.candidates(inUse))).containsExactly("c", "d", "e", "mail");
        assertThat(choice.left()).containsExactly("a");
    }

    @Test
    void waitingQueueThatIsNotDue_takesNoPlace() {
        QueueChoice choice = choice();
        Map<Partition, Instant> inUse = new LinkedHashMap<>(inUse("e", "d"));
        inUse.put(new Partition("c", 0), HandClock.START.plus(Duration.ofDays(30)));
        choice.candidates(inUse);

        inUse.put(new Partition("a", 0), HandClock.START.plus(Duration.ofHours(1)));
        assertThat(queues(choice.candidates(inUse))).containsExactly("c", "d", "e", "mail");
        assertThat(choice.left()).containsExactly("a");
    }

    @Test
    void emptyQueue_keepsItsPlaceForAWhileIfNoQueueWaitsForIt() {
        QueueChoice choice = choice();
        choice.candidates(inUse("a"));
        clock.advance(Duration.ofMinutes(5));
        assertThat(queues(choice.candidates(inUse()))).containsExactly("a", "mail");
        clock.advance(Duration.ofMillis(1));
        assertThat(queues(choice.candidates(inUse()))).containsExactly("mail");
    }

    @Test
    void queuesThatOthersDeclare_takeNoPlaceAndKeepTheirPartitionsInUse() {
        QueueChoice choice = choice();
        elsewhere = Set.of("v", "w", "x", "y", "z");
        Set<Partition> candidates = choice.candidates(inUse("z", "y", "x", "w", "v", "a"));
        assertThat(queues(candidates)).containsExactly("a", "mail", "v", "w", "x", "y", "z");
        assertThat(candidates).contains(new Partition("z", 0)).doesNotContain(new Partition("z", 1));
        assertThat(choice.left()).isEmpty();
    }

    @Test
    void queueThatIsSwitchedOffHere_isLeftAloneAndNotWarnedOf() {
        configured.put("a", new QueueSettings(1, false));
        QueueChoice choice = choice();
        assertThat(queues(choice.candidates(inUse("a")))).containsExactly("mail");
        assertThat(choice.left()).isEmpty();
    }

    /** Returns partitions of these queues in use. The jobs of the first queue have the earliest due time. */
    private Map<Partition, Instant> inUse(String... queues) {
        Map<Partition, Instant> inUse = new LinkedHashMap<>();
        for (String queue : queues) {
            inUse.put(new Partition(queue, 0), HandClock.START.plusSeconds(inUse.size()));
        }
        return inUse;
    }

    private static Set<String> queues(Set<Partition> partitions) {
        return partitions.stream().map(Partition::queue).collect(Collectors.toCollection(TreeSet::new));
    }
}
