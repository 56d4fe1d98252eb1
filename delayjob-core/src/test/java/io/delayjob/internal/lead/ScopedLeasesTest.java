package io.delayjob.internal.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Handler;
import io.delayjob.job.Partition;
import io.delayjob.lease.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopedLeasesTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final List<String> asked = new ArrayList<>();

    private long nanos = Long.MAX_VALUE - 1; // overflows within the tests

    private Optional<Lease> ask(String name, Duration duration) {
        asked.add(name);
        return Optional.empty();
    }

    @Test
    void lease_hasTheIdentityOfTheStoreInItsName() {
        new ScopedLeases(this::ask, () -> "0123abcd", () -> nanos).acquire("default-p0", LEASE);

        assertThat(asked).containsExactly("delayjob-0123abcd-default-p0");
    }

    @Test
    void longestName_fitsIntoTheTableOfShedLock() {
        Partition last = new Partition("q".repeat(Handler.MAX_QUEUE_LENGTH), Partition.MAX_PER_QUEUE - 1);

        new ScopedLeases(this::ask, () -> "0123abcd", () -> nanos).acquire(last.toString(), LEASE);

        assertThat(asked).singleElement().satisfies(name -> assertThat(name).hasSize(64));
    }

    @Test
    void storeThatIsAway_isAskedAgain() {
        List<String> answers = new ArrayList<>(List.of("0123abcd"));
        boolean[] away = {true};
        ScopedLeases leases = new ScopedLeases(
                this::ask,
                () -> {
                    if (away[0]) {
                        throw new IllegalStateException("the store is away");
                    }
                    return answers.remove(0);
                },
                () -> nanos);
        assertThatThrownBy(() -> leases.acquire("default-p0", LEASE)).hasMessage("the store is away");
        away[0] = false;

        leases.acquire("default-p0", LEASE);
        leases.acquire("default-p1", LEASE);

        assertThat(asked).containsExactly("delayjob-0123abcd-default-p0", "delayjob-0123abcd-default-p1");
    }

    @Test
    void identityThatChanges_isNoticedWithinAMinute_andKeptWhileTheStoreIsAway() {
        List<String> answers = new ArrayList<>(List.of("old", "new"));
        ScopedLeases leases = new ScopedLeases(
                this::ask,
                () -> {
                    if (answers.isEmpty()) {
                        throw new IllegalStateException("the store is away");
                    }
                    return answers.remove(0);
                },
                () -> nanos);
        for (int seconds : List.of(0, 59, 1, 60, 1)) {
            nanos += Duration.ofSeconds(seconds).toNanos();
            leases.acquire("p" + seconds, LEASE);
        }

        assertThat(asked)
                .containsExactly(
                        "delayjob-old-p0",
                        "delayjob-old-p59",
                        "delayjob-new-p1",
                        "delayjob-new-p60",
                        "delayjob-new-p1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "123456789", "ABC", "a b"})
    void identityThatCannotBePartOfAName_isRefused(String identity) {
        assertThatThrownBy(() -> new ScopedLeases(this::ask, () -> identity, () -> nanos).acquire("default-p0", LEASE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Invalid identity '" + identity + "' of the job store")
                .hasMessageContaining("1 to 8 letters a-z and digits");
        assertThat(asked).isEmpty();
    }
}
