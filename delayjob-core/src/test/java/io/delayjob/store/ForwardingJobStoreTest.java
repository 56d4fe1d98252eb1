package io.delayjob.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ForwardingJobStoreTest {

    /** If a default method were not passed on, the method of the other store would not be called. */
    @Test
    void everyMethodOfAStore_isPassedOn() {
        assertThat(signatures(ForwardingJobStore.class.getDeclaredMethods()))
                .containsAll(signatures(JobStore.class.getMethods()));
    }

    private static Set<String> signatures(Method... methods) {
        return Stream.of(methods)
                .map(method -> method.getName() + Arrays.toString(method.getParameterTypes()))
                .collect(Collectors.toSet());
    }
}
