package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;

class HeldRowsTest {

    private final HeldRows held = new HeldRows();

    @Test
    void rowsAreWrittenAtOnce_asLongAsNobodyHoldsOne() {
        assertThat(ways(3)).containsOnly("at once");
    }

    @Test
    void whatHasLostAgainstAHolder_locksFirst_andTheNextOnesToo() {
        lose();

        assertThat(ways(4)).containsOnly("locking first");
        assertThat(ways(3)).containsOnly("at once");
    }

    @Test
    void whoHoldsRowsAgainAndAgain_makesItWaryForLonger_andWhoLetsGoForLess() {
        lose();
        ways(4);
        lose();
        assertThat(ways(8)).containsOnly("locking first");

        assertThat(ways(1)).containsOnly("at once");

        lose();
        assertThat(ways(8)).containsOnly("locking first");
        assertThat(ways(2)).containsOnly("at once");
        lose();
        assertThat(ways(4)).containsOnly("locking first");
        assertThat(ways(1)).containsOnly("at once");
    }

    @Test
    void howManyLockFirst_hasALimit() {
        IntStream.range(0, 10).forEach(round -> {
            lose();
            ways(Math.min(4 << round, 64));
        });
        lose();

        assertThat(ways(64)).containsOnly("locking first");
        assertThat(ways(1)).containsOnly("at once");
    }

    /** One that goes at once, meets a held row, and locks first when it is repeated. */
    private void lose() {
        AtomicBoolean triedAtOnce = new AtomicBoolean();
        Supplier<String> work = held.unlessHeld(
                () -> {
                    triedAtOnce.set(true);
                    throw new CannotAcquireLockException("somebody holds it");
                },
                () -> "locking first");
        assertThatThrownBy(work::get).isInstanceOf(CannotAcquireLockException.class);
        assertThat(triedAtOnce).isTrue();

        assertThat(work.get()).isEqualTo("locking first");
    }

    /** Each in a transaction of its own, and none repeated. */
    private List<String> ways(int count) {
        return Stream.generate(this::work).limit(count).map(Supplier::get).toList();
    }

    private Supplier<String> work() {
        return held.unlessHeld(() -> "at once", () -> "locking first");
    }
}
