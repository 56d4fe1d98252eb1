package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HeldRowsTest {

    private final HeldRows held = new HeldRows();

    @Test
    void rowsAreWrittenAtOnce_asLongAsNobodyHoldsOne() {
        assertThat(ways(3)).containsOnly("at once");
    }

    @Test
    void whatHasLostAgainstAHolder_locksFirst_andTheNextOnesToo() {
        Supplier<String> work = work();
        assertThat(work.get()).isEqualTo("at once");

        assertThat(work.get()).isEqualTo("locking first");

        assertThat(ways(63)).containsOnly("locking first");
        assertThat(ways(3)).containsOnly("at once");
    }

    /** Each in a transaction of its own, and none repeated. */
    private List<String> ways(int count) {
        return Stream.generate(this::work).limit(count).map(Supplier::get).toList();
    }

    private Supplier<String> work() {
        return held.unlessHeld(() -> "at once", () -> "locking first");
    }
}
