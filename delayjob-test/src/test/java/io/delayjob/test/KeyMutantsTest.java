package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.JobStore;
import io.delayjob.test.LosingKeys.Loss;
import io.delayjob.test.LosingKeys.Place;
import io.delayjob.time.StoreClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A store that drops the rate key or the fair key of a job, or swaps them, fails the contract, whichever of its methods
 * makes the error.
 */
class KeyMutantsTest {

    /** The parts of the contract that are about these keys. */
    private record Contract(StoreScenario given) implements RateKeyContract, FairKeyContract {}

    static Stream<Arguments> mutants() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Arrays.stream(Loss.values()).map(loss -> Arguments.of(place, loss)));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void storeThatLosesKeys_failsTheContract(Place place, Loss loss) {
        assertThat(failedTests(() -> new LosingKeys(sound(), place, loss))).isNotEmpty();
    }

    @Test
    void storeThatLosesNoKeys_passesTheContract() {
        assertThat(failedTests(KeyMutantsTest::sound)).isEmpty();
    }

    private static JobStore sound() {
        return new MemoryJobStore(StoreClock::wallMicros);
    }

    /** Returns the names of the tests that fail; each test gets an empty store. */
    private static List<String> failedTests(Supplier<JobStore> stores) {
        return Stream.of(RateKeyContract.class, FairKeyContract.class)
                .flatMap(part -> Arrays.stream(part.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Test.class))
                .filter(test -> fails(test, new Contract(new StoreScenario(stores.get()))))
                .map(Method::getName)
                .toList();
    }

    private static boolean fails(Method test, Contract contract) {
        try {
            test.invoke(contract);
            return false;
        } catch (InvocationTargetException failure) {
            assertThat(failure.getCause()).as("what %s throws", test.getName()).isInstanceOf(AssertionError.class);
            return true;
        } catch (IllegalAccessException hidden) {
            throw new AssertionError(hidden);
        }
    }
}
