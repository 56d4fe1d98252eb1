package io.delayjob.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JobListenersTest {

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException(),
                new StackOverflowError(),
                new NoClassDefFoundError(),
                // Code in other languages may throw a checked exception that it does not declare.
                new IOException());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void listenerThatThrows_affectsNoOtherListenerAndNoJob(Throwable fault) {
        List<Integer> heard = new ArrayList<>();
        JobListeners listeners = new JobListeners(List.of(new JobListener() {
            @Override
            public void adopted(int count) {
                JobListenersTest.<RuntimeException>sneak(fault);
            }
        }));
        listeners.add(new JobListener() {
            @Override
            public void adopted(int count) {
                heard.add(count);
            }
        });
        assertThatCode(() -> listeners.tell(l -> l.adopted(3))).doesNotThrowAnyException();
        assertThat(heard).containsExactly(3);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable fault) throws T {
        throw (T) fault;
    }
}
