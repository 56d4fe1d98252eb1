package io.delayjob.internal.preload;

import static io.delayjob.interleavings.Scenario.racing;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.interleavings.Interleavings;
import io.delayjob.interleavings.Mutant;
import io.delayjob.interleavings.Mutants;
import io.delayjob.interleavings.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Tests by Lincheck how written rows and rows that were read ahead reach the wheel, and checks that mutants are found.
 */
@Tag("lincheck")
class WaitingRowsLincheckTest {

    private static final Scenario MOVES_ON_TWICE = racing("offer(0, 1)", "offer(0, 2)");
    private static final Scenario MOVES_ON_AS_IT_FIRES =
            racing("offer(0, 1)", "tick()").after("offer(0, 1)");
    private static final Scenario COMES_AS_THE_CLOCK_IS_SET =
            racing("offer(0, 1)", "setClock()").after("offer(1, 2)");

    private static final List<Scenario> RACES = List.of(
            MOVES_ON_TWICE,
            MOVES_ON_AS_IT_FIRES,
            COMES_AS_THE_CLOCK_IS_SET,
            racing("offer(0, 0)", "offer(0, 1)", "tick()"),
            racing("setClock()", "tick()").after("offer(0, 1); offer(1, 2)"),
            racing("offer(0, 1)", "setClock()", "tick()").after("offer(0, 1)"));

    static final List<Mutant> MUTANTS = List.of(
            new Mutant(
                    "former_row_keeps_its_timer",
                    "WaitingRows",
                    "if (entries.get(row.id()) != this) {",
                    "if (false) {",
                    MOVES_ON_TWICE,
                    "the wheel holds other rows than those that wait"),
            new Mutant(
                    "row_takes_away_whatever_waits",
                    "WaitingRows",
                    "} else if (entries.remove(row.id(), this)) {",
                    "} else if (entries.remove(row.id()) != null) {",
                    MOVES_ON_AS_IT_FIRES,
                    "the wheel holds other rows than those that wait"),
            new Mutant(
                    "clock_is_followed_for_some_and_all_are_cleared",
                    "WaitingRows",
                    "        return taken;\n",
                    "        entries.values().forEach(Entry::cancel); entries.clear(); return taken;\n",
                    COMES_AS_THE_CLOCK_IS_SET,
                    "no row of a job came"));

    @Test
    void everyJob_isPassedOnOnce_inEveryInterleaving() {
        Interleavings.judgedByItself(RacingRows.class, RACES);
    }

    @Tag("full")
    @ParameterizedTest
    @FieldSource("MUTANTS")
    void mutantIsCaught(Mutant mutant) {
        Class<?> subject = Mutants.ofClass(WaitingRows.class, RacingRows.class).subjectWith(mutant);
        assertThatThrownBy(() -> Interleavings.judgedByItself(subject, mutant.race()))
                .hasMessageContaining(mutant.caughtBy());
    }
}
