package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the identity of the store: it is set at its first use, and is the same for all instances. */
interface IdentityContract extends GivenStore {

    @Test
    default void identity_isTheFirstThatIsProposedAndStaysSo() {
        assertThat(given().store().identity("0123abcd")).isEqualTo("0123abcd");
        assertThat(given().store().identity("zzzzzzzz")).isEqualTo("0123abcd");
    }

    @Test
    default void identity_threadsThatComeTogetherGetTheSame() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            List<Future<String>> identities = IntStream.range(0, 20)
                    .mapToObj(i -> executor.submit(() -> given().store().identity("abcd" + i)))
                    .toList();
            Set<String> seen = new HashSet<>();
            for (Future<String> identity : identities) {
                seen.add(identity.get());
            }
            assertThat(seen).hasSize(1).containsExactly(given().store().identity("other"));
        } finally {
            executor.shutdownNow();
        }
    }
}
