package io.delayjob.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EngineRandomTest {

    @Test
    void threadsAndGenerators_getDifferentNumbers() {
        EngineRandom one = new EngineRandom();
        EngineRandom other = new EngineRandom();
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        IntStream.range(0, 10_000).parallel().forEach(i -> {
            drawn.add(one.nextLong());
            drawn.add(other.nextLong());
        });
        assertThat(drawn).hasSize(20_000);
    }
}
